'use strict'
// The block at a position; none where the chunk is not loaded.
const { vector } = require('../acting/reach.cjs')

module.exports = function blockAt (bot, { position }) {
  const block = bot.blockAt(vector(position).floored(), false)
  return block ? [[block.name, block.position.toArray()]] : []
}
