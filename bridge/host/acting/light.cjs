'use strict'
// Light where something is to grow: the open sky, what the server says, or a lamp near enough.
const { groundAt } = require('../ground.cjs')
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const ENOUGH = 8
const BRIGHTEST = 15
const FAR = BRIGHTEST - ENOUGH // blocks from the brightest lamp: each takes one off

function isLit (bot, cell) {
  const { light, skyLight } = bot.blockAt(cell)
  return Math.max(light, skyLight) >= ENOUGH || isUnderSky(bot, cell) || hasLamp(bot, cell)
}

function isUnderSky (bot, cell) {
  for (let above = groundAt(bot, cell); above; above = groundAt(bot, above.position.offset(0, 1, 0))) {
    if (above.boundingBox === 'block' && !above.transparent) return false
    if (above.position.y > bot.entity.position.y + bot.game.height) return true
  }
  return true
}

function hasLamp (bot, cell) {
  for (let dx = -FAR; dx <= FAR; dx++) {
    for (let dy = -FAR; dy <= FAR; dy++) {
      for (let dz = -FAR; dz <= FAR; dz++) {
        const away = Math.abs(dx) + Math.abs(dy) + Math.abs(dz)
        if (away <= FAR && lightOf(bot, cell.plus(new Vec3(dx, dy, dz))) - away >= ENOUGH) return true
      }
    }
  }
  return false
}

function lightOf (bot, cell) {
  const block = groundAt(bot, cell)
  return bot.registry.blocks[block?.type]?.emitLight ?? 0
}

module.exports = { isLit }
