'use strict'
// Sight lines through the loaded world, cell by cell.
const { namesOf } = require('../names.cjs')
const { AIR, stateAt } = require('./sections.cjs')

const NOTHING = { isAir: true }

/** The unit vector of a look in degrees; yaw 0 = north, counter-clockwise, pitch positive = up. */
function direction (yaw, pitch) {
  const [y, p] = [yaw * Math.PI / 180, pitch * Math.PI / 180]
  return { x: -Math.sin(y) * Math.cos(p), y: Math.sin(p), z: -Math.cos(y) * Math.cos(p) }
}

/** state number -> {name, isAir, isClear}; one looks through what is clear. */
function kinds (registry) {
  const names = namesOf(registry)
  const known = new Map()
  return state => {
    if (!known.has(state)) known.set(state, kind(names.blockOf(state)))
    return known.get(state)
  }
}

function kind (block) {
  if (!block || AIR.has(block.name)) return NOTHING
  const { name, boundingBox } = block
  const isClear = name !== 'lava' && (boundingBox === 'empty' || name.includes('glass'))
  return { name, isAir: false, isClear }
}

/** Follow a ray from the eyes, telling every block on the way to `meet`; whether something ended
 *  it within reach. Counts what it reads in `sight.checks`. */
function along (sight, way, reach, meet) {
  const axes = ['x', 'y', 'z'].map(axis => startOf(sight.eyes[axis], way[axis]))
  for (let distance = 0; distance <= reach;) {
    const [x, y, z] = axes.map(({ cell }) => cell)
    const found = blockIn(sight, x, y, z)
    if (!found) return false
    if (!found.isAir) {
      meet({ name: found.name, at: [x, y, z], distance })
      if (!found.isClear) return true
    }
    const next = axes.reduce((a, b) => b.border < a.border ? b : a)
    distance = next.border
    next.cell += next.step
    next.border += next.width
  }
  return false
}

function startOf (from, slope) {
  const cell = Math.floor(from)
  const width = slope === 0 ? Infinity : Math.abs(1 / slope)
  const gap = slope > 0 ? cell + 1 - from : from - cell
  return { cell, step: Math.sign(slope), width, border: slope === 0 ? Infinity : gap * width }
}

function blockIn (sight, x, y, z) {
  const { sections, kindOf } = sight
  const column = sections.column(x >> 4, z >> 4)
  if (!column) return null
  if (!sections.isHeight(y)) return NOTHING
  const section = sections.at(column, y)
  if (!section || section.solidBlockCount === 0) return NOTHING
  sight.checks++
  return kindOf(stateAt(section, { x: x & 15, y: y & 15, z: z & 15 }))
}

module.exports = { along, direction, kinds }
