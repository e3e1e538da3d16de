'use strict'
// Fill an empty bucket with the liquid at a position. Fails: missing_item, too_far, wrong_block,
// blocked.
const { ActionFailure } = require('../failure.cjs')
const { useBucket } = require('../acting/buckets.cjs')
const { stationInReach } = require('../acting/reach.cjs')

const LIQUID = /^(flowing_)?(water|lava)$/
const SURFACE = 0.85 // of the block

module.exports = async function fill (bot, { item, position }, { signal }) {
  const block = stationInReach(bot, position, name => LIQUID.test(name), 'water or lava')
  if (block.metadata !== 0) throw new ActionFailure('wrong_block', `the ${block.name} there flows`)
  const isFull = await useBucket(bot, item, block.position.offset(0.5, SURFACE, 0.5), signal)
  if (!isFull) throw new ActionFailure('blocked', `the ${item} stays empty`)
  return { block: block.name }
}
