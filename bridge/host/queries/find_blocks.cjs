'use strict'
// Blocks of some names, nearest first. Looks at chunk sections from near to far, opens only those
// whose palette holds one of the names, and stops once no section left can be nearer.
const { setImmediate: breath } = require('node:timers/promises')
const { sparing } = require('../acting/zones.cjs')
const { namesOf } = require('../names.cjs')
const { load } = require('../packages.cjs')
const { SIDE, stateAt } = require('../sensing/sections.cjs')
const { Vec3 } = load('vec3')

const SLICE_MS = 8 // other bots get their turn after that
const RIPE = { wheat: 7, beetroots: 3, carrots: 7, potatoes: 7, nether_wart: 3 } // the last age of crops

module.exports = async function findBlocks (bot, { names, radius, limit, in_cube: inCube, ripe, spared }) {
  const centre = bot.entity.position.floored()
  const wanted = statesOf(bot, names, ripe)
  const isSpared = sparing(spared)
  let found = []
  const within = inCube ? cubeOf(radius) : ballOf(radius)
  let since = performance.now()
  for (const section of sectionsWithin(bot, centre, radius, within)) {
    if (found.length >= limit && section.nearest > found[limit - 1].square) break
    if (!mayHold(section, wanted)) continue
    search(section, wanted, centre, within, found)
    if (spared?.length) found = found.filter(({ position }) => !isSpared(new Vec3(...position)))
    keepNearest(found, limit)
    if (performance.now() - since > SLICE_MS) {
      await breath()
      since = performance.now()
    }
  }
  return found.map(({ name, position }) => [name, position])
}

// Whether what lies so many blocks apart along each axis belongs to the search.
function ballOf (radius) {
  return apart => squareOf(apart) <= radius * radius
}

function cubeOf (radius) {
  return apart => apart.every(distance => Math.abs(distance) <= radius)
}

/** state id -> name, for the names that exist in this version; of crops the last state if `ripe`. */
function statesOf (bot, names, ripe) {
  const known = namesOf(bot.registry)
  const blocks = names.map(name => known.block(name)).filter(Boolean)
  return new Map(blocks.flatMap(block => {
    const all = known.statesOf(block)
    const states = ripe && block.name in RIPE ? [all[RIPE[block.name]]] : all
    return states.map(state => [state, block.name])
  }))
}

function sectionsWithin (bot, centre, radius, within) {
  const sections = []
  const minY = bot.game.minY ?? 0
  const last = Math.ceil((bot.game.height ?? 256) / SIDE) - 1
  for (const x of chunksAround(centre.x, radius)) {
    for (const z of chunksAround(centre.z, radius)) {
      const column = bot.world.getColumn(x, z)
      if (!column) continue
      for (const y of chunksAround(centre.y - minY, radius)) {
        if (y < 0 || y > last || !column.sections[y]) continue
        sections.push(sectionAt(column, [x * SIDE, y * SIDE + minY, z * SIDE], y, centre))
      }
    }
  }
  const reached = sections.filter(({ gaps }) => within(gaps))
  return reached.sort((a, b) => a.nearest - b.nearest)
}

function * chunksAround (at, radius) {
  for (let chunk = (at - radius) >> 4; chunk <= (at + radius) >> 4; chunk++) yield chunk
}

function sectionAt (column, origin, index, centre) {
  const gaps = [centre.x, centre.y, centre.z].map((at, i) => gap(at, origin[i]))
  return { section: column.sections[index], origin, gaps, nearest: squareOf(gaps) }
}

function gap (at, start) {
  return Math.max(start - at, 0, at - (start + SIDE - 1))
}

// Without a palette (old versions, or a section too varied for one) only looking tells.
function mayHold ({ section }, wanted) {
  if (typeof section.isEmpty === 'function' && section.isEmpty() && !wanted.has(0)) return false
  const { palette } = section
  return !palette || palette.some(state => wanted.has(state))
}

function search ({ section, origin: [x0, y0, z0] }, wanted, centre, within, found) {
  const cell = { x: 0, y: 0, z: 0 }
  for (cell.y = 0; cell.y < SIDE; cell.y++) {
    for (cell.z = 0; cell.z < SIDE; cell.z++) {
      for (cell.x = 0; cell.x < SIDE; cell.x++) {
        const name = wanted.get(stateAt(section, cell))
        if (name === undefined) continue
        const position = [x0 + cell.x, y0 + cell.y, z0 + cell.z]
        const apart = [position[0] - centre.x, position[1] - centre.y, position[2] - centre.z]
        if (within(apart)) found.push({ name, position, square: squareOf(apart) })
      }
    }
  }
}

function squareOf ([x, y, z]) {
  return x * x + y * y + z * z
}

function keepNearest (found, limit) {
  found.sort((a, b) => a.square - b.square)
  found.length = Math.min(found.length, limit)
}
