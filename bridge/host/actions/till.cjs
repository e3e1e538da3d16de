'use strict'
// Make farmland of earth with a hoe. Fails: missing_item, too_far, wrong_block, blocked.
const { load } = require('../packages.cjs')
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { stationInReach } = require('../acting/reach.cjs')
const { Vec3 } = load('vec3')

const EARTH = /^(grass_block|dirt|dirt_path|grass_path)$/
const UP = new Vec3(0, 1, 0)
const ANSWER_MS = 1500

module.exports = async function till (bot, { item, position }, { signal }) {
  const { position: at } = stationInReach(bot, position, name => EARTH.test(name), 'earth')
  await takeInHand(bot, item, signal)
  signal.throwIfAborted()
  await bot._genericPlace(bot.blockAt(at), UP, { forceLook: true, swingArm: 'right' })
  const isTilled = () => bot.blockAt(at)?.name === 'farmland'
  if (!await until(isTilled, { on: [[bot, `blockUpdate:${at}`]], signal, deadlineMs: ANSWER_MS })) {
    throw new ActionFailure('blocked', `the earth at ${at} stays as it is`)
  }
  return { block: 'farmland' }
}
