'use strict'
// Reading blocks section by section: 16 x 16 x 16 blocks that share one palette of states.

const AIR = new Set(['air', 'cave_air', 'void_air'])
const SIDE = 16 // blocks along each edge

/** The loaded sections around a bot, each looked up once. */
class Sections {
  constructor (bot) {
    this.world = bot.world
    this.minY = bot.game.minY ?? 0
    this.maxY = this.minY + (bot.game.height ?? 256) - 1
    this.columns = new Map()
  }

  /** The sections of a chunk from the bottom; null where it is not loaded. */
  column (chunkX, chunkZ) {
    const key = chunkX * 4194304 + chunkZ
    let sections = this.columns.get(key)
    if (sections === undefined) {
      sections = this.world.getColumn(chunkX, chunkZ)?.sections ?? null
      this.columns.set(key, sections)
    }
    return sections
  }

  /** The section that holds a height; undefined or null when there is nothing but air. */
  at (column, y) {
    return column[(y - this.minY) >> 4]
  }

  isHeight (y) {
    return y >= this.minY && y <= this.maxY
  }
}

/** The state numbers a section may hold; null when only reading it tells. */
function paletteOf (section) {
  if (!section || section.solidBlockCount === 0) return [0]
  if (section.data?.value !== undefined) return [section.data.value] // of one kind, from 1.18 on
  return section.palette ?? null
}

/** The state number at a place counted from a section's corner. */
function stateAt (section, at) {
  if (section.getBlock) return section.getBlock(at) // 1.9 to 1.17
  return section.get ? section.get(at) : section.getBlockStateId(at) // from 1.18 on, 1.8
}

module.exports = { AIR, SIDE, Sections, paletteOf, stateAt }
