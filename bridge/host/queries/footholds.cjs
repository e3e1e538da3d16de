'use strict'
// The blocks of a column in which a player can stand with their feet; null where the chunk is
// not loaded.
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const HARMFUL = /^(flowing_)?lava$|^(soul_)?fire$|cactus|^magma_block$|campfire$|berry_bush$|^wither_rose$|^powder_snow$|^cobweb$/
const TOO_HIGH = /fence$|_wall$/ // nobody steps up one and a half blocks

module.exports = function footholds (bot, { x, z }) {
  if (!bot.world.getColumnAt(new Vec3(x, 0, z))) return null
  const bottom = bot.game.minY ?? 0
  const top = bottom + (bot.game.height ?? 256)
  const places = []
  let ground = false
  let room = false
  for (let y = bottom; y < top; y++) {
    const block = bot.blockAt(new Vec3(x, y, z), false)
    const isOpen = hasRoom(block)
    if (isOpen && room) places.push([x, y - 1, z])
    room = isOpen && ground // room for the feet; the next block has to take the head
    ground = isFirm(block)
  }
  return places
}

function hasRoom (block) {
  return !block || (block.boundingBox === 'empty' && !HARMFUL.test(block.name))
}

function isFirm (block) {
  return block?.boundingBox === 'block' && !HARMFUL.test(block.name) && !TOO_HIGH.test(block.name)
}
