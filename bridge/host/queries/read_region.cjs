'use strict'
// All blocks of a box around a bot and whatever moves in it: what a picture is drawn from.
const { promisify } = require('node:util')
const zlib = require('node:zlib')
const { stackOf } = require('../acting/drops.cjs')
const { load } = require('../packages.cjs')
const { AIR, Sections, paletteOf, stateAt } = require('../sensing/sections.cjs')
const { slices } = require('../sensing/slices.cjs')
const { coatOf, isYoung } = require('../sensing/traits.cjs')
const { isRaining } = require('../sky.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')

const deflate = promisify(zlib.deflate)
const DEGREES = 180 / Math.PI
const FACE = 1.62 // blocks above a player's feet
const UNKNOWN = 65535 // not loaded
const MOST_BEINGS = 128

module.exports = async function readRegion (bot, question) {
  const box = boxAround(bot, question)
  const kinds = new Kinds(bot.registry)
  const { cells, covered } = await read(bot, box, kinds)
  const { entity, time, game } = bot
  return {
    version: bot.version,
    corner: box.corner,
    size: box.size,
    kinds: kinds.rows,
    cells: await packed(cells),
    covered: await packed(covered),
    eyes: entity.position.offset(0, entity.eyeHeight ?? FACE, 0).toArray(),
    yaw: (entity.yaw * DEGREES + 360) % 360,
    pitch: entity.pitch * DEGREES,
    beings: beings(bot, question.reach),
    held: bot.heldItem?.name ?? null,
    time_of_day: time.timeOfDay ?? 0,
    is_raining: isRaining(bot),
    dimension: String(bot.dimensionName || game.dimension).replace('minecraft:', '')
  }
}

function boxAround (bot, { reach, up, down }) {
  const { x, y, z } = bot.entity.position.floored()
  const { minY, maxY } = new Sections(bot)
  const lowest = Math.min(Math.max(minY, y - down), maxY)
  const highest = Math.max(Math.min(maxY, y + up), lowest)
  const side = 2 * reach + 1
  return { corner: [x - reach, lowest, z - reach], size: [side, highest - lowest + 1, side] }
}

async function packed (numbers) {
  return (await deflate(Buffer.from(numbers.buffer), { level: 1 })).toString('base64')
}

/** The number of each block's kind, x slowest and y fastest; and which columns have something above. */
async function read (bot, { corner: [left, bottom, front], size: [wide, tall, deep] }, kinds) {
  const giveWay = slices()
  const sections = new Sections(bot)
  const cells = new Uint16Array(wide * tall * deep)
  const covered = new Uint8Array(wide * deep)
  const at = { x: 0, y: 0, z: 0 }
  for (let x = left; x < left + wide; x++) {
    for (let z = front; z < front + deep; z++) {
      const place = (x - left) * deep + z - front
      const start = place * tall
      const column = sections.column(x >> 4, z >> 4)
      if (!column) cells.fill(UNKNOWN, start, start + tall)
      else {
        readColumn(column, Object.assign(at, { x: x & 15, z: z & 15 }), start)
        covered[place] = hasRoof(column, at) ? 1 : 0
      }
    }
    const rest = giveWay()
    if (rest) await rest
  }
  return { cells, covered }

  function readColumn (column, at, start) {
    for (let y = bottom; y < bottom + tall;) {
      const section = sections.at(column, y)
      const end = Math.min(((y - sections.minY) >> 4 << 4) + 16 + sections.minY, bottom + tall)
      if (isEmpty(section)) y = end
      for (; y < end; y++) {
        at.y = (y - sections.minY) & 15
        cells[start + y - bottom] = kinds.of(stateAt(section, at))
      }
    }
  }

  function hasRoof (column, at) {
    for (let y = bottom + tall; y <= sections.maxY; y++) {
      const section = sections.at(column, y)
      at.y = (y - sections.minY) & 15
      if (isEmpty(section)) y += 15 - at.y
      else if (kinds.isOpaque(stateAt(section, at))) return true
    }
    return false
  }
}

function isEmpty (section) {
  const palette = paletteOf(section)
  return palette !== null && palette.length === 1 && palette[0] === 0
}

/** Numbers states in the order they are met; 0 is air. */
class Kinds {
  constructor (registry) {
    this.Block = load('prismarine-block')(registry)
    this.rows = [['air', [], '', false]]
    this.numbers = new Map([[0, 0]])
  }

  of (state) {
    let number = this.numbers.get(state)
    if (number === undefined) this.numbers.set(state, number = this.add(state))
    return number
  }

  isOpaque (state) {
    return state !== 0 && this.rows[this.of(state)][1].length > 0
  }

  add (state) {
    const block = this.Block.fromStateId(state, 0)
    if (!block?.name || AIR.has(block.name)) return 0
    const { facing, waterlogged } = properties(block)
    const isWet = waterlogged === true || waterlogged === 'true'
    return this.rows.push([block.name, block.shapes ?? [], String(facing ?? ''), isWet]) - 1
  }
}

function properties (block) {
  try {
    return block.getProperties() ?? {}
  } catch {
    return {} // old versions do not know those of every block
  }
}

function beings (bot, reach) {
  const away = ({ position }) => position.distanceTo(bot.entity.position)
  return Object.values(bot.entities)
    .filter(entity => entity !== bot.entity && entity.position && away(entity) <= reach)
    .sort((a, b) => away(a) - away(b))
    .slice(0, MOST_BEINGS)
    .flatMap(entity => {
      const [kind, name] = named(bot, entity)
      if (!name) return []
      const coat = coatOf(bot.registry, name, entity)
      const isSmall = kind === 'mob' && isYoung(bot.registry, entity)
      const yaw = (entity.yaw * DEGREES + 360) % 360
      const size = [entity.width ?? 0.6, entity.height ?? 1.8]
      return [[kind, name, entity.position.toArray(), yaw || 0, size, entity.heldItem?.name ?? null, isSmall, coat]]
    })
}

function named (bot, entity) {
  if (entity.type === 'player') return ['player', entity.username]
  const mob = mobOf(entity.name)
  if (mob) return ['mob', mob.name]
  const item = stackOf(bot, entity)
  return item ? ['item', item.name] : ['thing', entity.name]
}
