'use strict'
// Where things stay: what holds a torch, a rail, a flower or a door, by standing.json. Blocks are
// those of prismarine-block; a place is looked at by `look(dx, dy, dz)`, counted from it.

const table = require('./standing.json')

const KINDS = table.kinds.map(kind => ({ ...kind, names: new RegExp(kind.names) }))
const SOFT = new RegExp(table.soft) // no more than what they look like, or less than they do
const SIDES = {
  below: [[0, -1, 0]],
  above: [[0, 1, 0]],
  beside: [[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]
}
const AROUND_GROUND = SIDES.beside.map(([dx, , dz]) => [dx, -1, dz])
/** All that a place is judged by. */
const CELLS = [[0, 0, 0], ...Object.values(SIDES).flat(), ...AROUND_GROUND]
const TOWARDS = { east: [1, 0, 0], west: [-1, 0, 0], south: [0, 0, 1], north: [0, 0, -1] }
const PIXELS = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16)
const [MIDDLE_FROM, MIDDLE_TO, RIM] = [7 / 16, 9 / 16, 2 / 16] // of a side
const AIR = /^(air|cave_air|void_air)$/
const WATER = /^(water|flowing_water|bubble_column)$/

const FIRM = {
  anything: block => !AIR.test(block.name),
  solid: block => block.boundingBox === 'block',
  full: (block, side) => isCovered(block, side, () => true),
  rim: (block, side) => isCovered(block, side, (u, v) => Math.min(u, v, 1 - u, 1 - v) < RIM),
  middle: (block, side) => isCovered(block, side, (u, v) => isMiddle(u) && isMiddle(v))
}

function isMiddle (u) {
  return u > MIDDLE_FROM && u < MIDDLE_TO
}

/** Whether a block reaches the side of its cell that looks back along `side`, at all these points. */
function isCovered (block, side, counts) {
  if (block.boundingBox !== 'block' || SOFT.test(block.name)) return false
  if (block.name === 'soul_sand' || isHeaped(block)) return true // lower than they hold
  const axis = side.findIndex(step => step !== 0)
  const [u, v] = [0, 1, 2].filter(other => other !== axis)
  const reaches = block.shapes.filter(box => side[axis] > 0 ? box[axis] <= 0 : box[axis + 3] >= 1)
  return PIXELS.every(a => PIXELS.every(b => !counts(a, b) ||
    reaches.some(box => box[u] <= a && a <= box[u + 3] && box[v] <= b && b <= box[v + 3])))
}

function isHeaped (block) {
  return block.name === 'snow' && Number(block.getProperties().layers) === 8
}

function kindOf (name) {
  return KINDS.find(({ names }) => names.test(name)) ?? null
}

function holdsIt (kind, what, side, look) {
  const block = look(...side)
  if (!block || kind.never?.includes(block.name)) return false
  if (!FIRM[what]) return table.soils[what].includes(block.name)
  return FIRM[what](block, side)
}

/** The sides, from the place, that hold a thing of a kind; `only` one where it has chosen already. */
function holders (kind, look, only = null) {
  return kind.holds.flatMap(([way, what]) => SIDES[way]
    .filter(side => !only || String(side) === String(only))
    .filter(side => holdsIt(kind, what, side, look)))
}

function isFree (look) {
  return SIDES.beside.every(side => {
    const block = look(...side)
    return !block || (block.boundingBox !== 'block' && block.name !== 'lava')
  })
}

function isWatered (look) {
  if (look(0, -1, 0)?.name === 'sugar_cane') return true
  return AROUND_GROUND.some(side => {
    const block = look(...side)
    return block && (WATER.test(block.name) || block.name === 'frosted_ice' || block.isWaterlogged === true)
  })
}

function isWet (look) {
  return WATER.test(look(0, 0, 0)?.name ?? '')
}

/** The sides that would hold an item placed there; null for one that stays everywhere. */
function sidesFor (item, look) {
  const kind = kindOf(item)
  if (!kind) return null
  const isAgainst = (kind.dry && isWet(look)) || (kind.free && !isFree(look)) || (kind.watered && !isWatered(look))
  return isAgainst ? [] : holders(kind, look)
}

/** What an item lacks at a place where it does not stay, in words. */
function whyNot (item, look) {
  const kind = kindOf(item)
  if (kind.dry && isWet(look)) return `${item} would be washed away in water; it needs a dry place and ${kind.words}`
  return `${item} needs ${kind.words}`
}

/** Whether water washes a thing away. */
function isWashedOff (name) {
  return Boolean(kindOf(name)?.dry)
}

/** Whether an item needs light where it grows. */
function needsLight (item) {
  return Boolean(kindOf(item)?.lit)
}

/** Whether a block stays where it is. */
function stays (block, look) {
  const kind = kindOf(block.name)
  const properties = block.getProperties()
  if (!kind || properties.half === 'upper') return true
  if ((kind.free && !isFree(look)) || (kind.watered && !isWatered(look))) return false
  return holders(kind, look, heldBy(block, properties)).length > 0
}

/** The one side that holds a block as it is placed; null where it may be any. */
function heldBy ({ name }, { face, facing, hanging }) {
  if (name === 'vine' || name === 'scaffolding' || name.startsWith('weeping')) return null
  if (hanging === true || hanging === 'true' || face === 'ceiling') return SIDES.above[0]
  if (name === 'cocoa') return TOWARDS[facing]
  const isOnWall = face === 'wall' || /(_wall_|^wall_|^ladder$|^tripwire_hook$)/.test(name)
  return isOnWall ? TOWARDS[facing].map(step => -step) : SIDES.below[0]
}

module.exports = { CELLS, isWashedOff, needsLight, sidesFor, stays, whyNot }
