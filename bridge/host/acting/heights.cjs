'use strict'
// How high one stands on a block: on slabs, paths, beds and chests the feet are in its own cell.
const { groundAt } = require('../ground.cjs')

const LOW = 0.1 // blocks: as high as what the pathfinder walks through

/** Whether who stands on the block at a point has the feet in it, on a part of it at least. */
function isStoodIn (bot, point) {
  const block = groundAt(bot, point)
  return block !== null && block.shapes.some(([, , , , top]) => top >= LOW && top < 1)
}

// Expected: a block without a shape is walked through, in each of its states. Actual (2.4.5): one
// layer of snow counts as a whole block. Remove when it counts as nothing.
function wadeThrough (movements) {
  const { getBlock } = movements
  movements.getBlock = (pos, dx, dy, dz) => {
    const block = getBlock.call(movements, pos, dx, dy, dz)
    if (!block.physical || block.shapes.length > 0) return block
    return Object.assign(block, { physical: false, safe: true })
  }
}

module.exports = { isStoodIn, wadeThrough }
