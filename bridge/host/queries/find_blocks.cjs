'use strict'
// Blocks of some names, nearest first. Looks at chunk sections from near to far, opens only those
// whose palette holds one of the names, and stops once no section left can be nearer.
const { setImmediate: breath } = require('node:timers/promises')

const SIDE = 16
const SLICE_MS = 8 // other bots get their turn after that

module.exports = async function findBlocks (bot, { names, radius, limit }) {
  const centre = bot.entity.position.floored()
  const wanted = statesOf(bot, names)
  const found = []
  let since = performance.now()
  for (const section of sectionsWithin(bot, centre, radius)) {
    if (found.length >= limit && section.nearest > found[limit - 1].square) break
    if (!mayHold(section, wanted)) continue
    search(section, wanted, centre, radius, found)
    keepNearest(found, limit)
    if (performance.now() - since > SLICE_MS) {
      await breath()
      since = performance.now()
    }
  }
  return found.map(({ name, position }) => [name, position])
}

/** state id -> name, for the names that exist in this version. */
function statesOf (bot, names) {
  const states = new Map()
  for (const name of names) {
    const block = Object.hasOwn(bot.registry.blocksByName, name) && bot.registry.blocksByName[name]
    if (!block) continue
    const first = block.minStateId ?? block.id << 4
    const last = block.maxStateId ?? (block.id << 4 | 15)
    for (let state = first; state <= last; state++) states.set(state, name)
  }
  return states
}

function sectionsWithin (bot, centre, radius) {
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
  const reached = sections.filter(({ nearest }) => nearest <= radius * radius)
  return reached.sort((a, b) => a.nearest - b.nearest)
}

function * chunksAround (at, radius) {
  for (let chunk = (at - radius) >> 4; chunk <= (at + radius) >> 4; chunk++) yield chunk
}

function sectionAt (column, origin, index, centre) {
  const gaps = [centre.x, centre.y, centre.z].map((at, i) => gap(at, origin[i]))
  const nearest = gaps.reduce((sum, distance) => sum + distance * distance, 0)
  return { column, section: column.sections[index], origin, nearest }
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

function search ({ column, origin: [x0, y0, z0] }, wanted, centre, radius, found) {
  const cell = { x: 0, y: 0, z: 0 }
  for (cell.y = y0; cell.y < y0 + SIDE; cell.y++) {
    for (cell.z = 0; cell.z < SIDE; cell.z++) {
      for (cell.x = 0; cell.x < SIDE; cell.x++) {
        const name = wanted.get(column.getBlockStateId(cell))
        if (name === undefined) continue
        const position = [x0 + cell.x, cell.y, z0 + cell.z]
        const square = squareDistance(position, centre)
        if (square <= radius * radius) found.push({ name, position, square })
      }
    }
  }
}

function squareDistance ([x, y, z], centre) {
  return (x - centre.x) ** 2 + (y - centre.y) ** 2 + (z - centre.z) ** 2
}

function keepNearest (found, limit) {
  found.sort((a, b) => a.square - b.square)
  found.length = Math.min(found.length, limit)
}
