'use strict'
// Empty a full bucket on the ground at a position. Fails: missing_item, too_far, blocked.
const { ActionFailure } = require('../failure.cjs')
const { useBucket } = require('../acting/buckets.cjs')
const { blockInReach } = require('../acting/reach.cjs')

module.exports = async function pour (bot, { item, position }, { signal }) {
  const { position: cell } = blockInReach(bot, position)
  const isEmpty = await useBucket(bot, item, cell.offset(0.5, 0, 0.5), signal)
  if (!isEmpty) throw new ActionFailure('blocked', `the ${item} stays full`)
  return {}
}
