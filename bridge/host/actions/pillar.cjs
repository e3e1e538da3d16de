'use strict'
// Put carried blocks under the feet, jumping, until they are so much higher. Fails: missing_item,
// blocked, unconfirmed.
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { isPlaced, wasPutBack } = require('../confirming.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { count } = require('../acting/inventory.cjs')
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const UP = new Vec3(0, 1, 0)
const CLEAR = 1.2 // blocks above the ground: the server knows by then that the cell is free
const JUMP_MS = 1500
const TRIES = 3

module.exports = async function pillar (bot, { item, height }, { signal, progress }) {
  for (let done = 0; done < height; done++) {
    if (count(bot, item) === 0) throw new ActionFailure('missing_item', `no ${item} carried`)
    standInTheMiddle(bot)
    await takeInHand(bot, item, signal)
    await rise(bot, signal)
    progress(done + 1, height)
  }
  if (!await isPlaced(bot, signal)) throw wasPutBack(bot)
  return { position: bot.entity.position.toArray() }
}

function standInTheMiddle ({ entity: { position, velocity } }) {
  position.set(Math.floor(position.x) + 0.5, position.y, Math.floor(position.z) + 0.5)
  velocity.set(0, velocity.y, 0)
}

async function rise (bot, signal) {
  const feet = bot.entity.position.floored()
  for (let tries = 0; tries < TRIES; tries++) {
    mustHaveRoom(bot, feet)
    if (await jumpOver(bot, feet, signal)) return
  }
  throw new ActionFailure('blocked', `the server did not let a block be placed at ${feet}`)
}

function mustHaveRoom (bot, feet) {
  const above = bot.blockAt(feet.offset(0, 2, 0))
  if (above?.boundingBox !== 'empty') throw new ActionFailure('blocked', `there is no room above ${feet}`)
}

/** Jump and place a block below; whether the feet are on it. */
async function jumpOver (bot, feet, signal) {
  const on = [[bot, 'physicsTick']]
  const isHigher = height => bot.entity.position.y >= feet.y + height
  try {
    await until(() => bot.entity.onGround, { on, signal, deadlineMs: JUMP_MS })
    bot.setControlState('jump', true)
    if (!await until(() => isHigher(CLEAR), { on, signal, deadlineMs: JUMP_MS })) return false
    await bot._genericPlace(bot.blockAt(feet.offset(0, -1, 0)), UP, { forceLook: true, swingArm: 'right' })
  } finally {
    bot.setControlState('jump', false)
  }
  await until(() => bot.entity.onGround, { on, signal, deadlineMs: JUMP_MS })
  return isHigher(1)
}
