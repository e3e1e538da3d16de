'use strict'
// Put a carried item down as a block. Fails: missing_item, too_far, blocked.
const { load } = require('../packages.cjs')
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { blockInReach } = require('../acting/reach.cjs')
const { isReplaceable, isUsable } = require('../acting/blocks.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { count } = require('../acting/inventory.cjs')
const { Vec3 } = load('vec3')

const PLACING_MS = 1500
const SNEAKING_MS = 1500

// The floor first: what stands on something looks built, what hangs looks thrown.
const SIDES = [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]
  .map(side => new Vec3(...side))

module.exports = async function place (bot, { item, position }, { signal }) {
  if (count(bot, item) === 0) throw new ActionFailure('missing_item', `no ${item} carried`)
  const there = blockInReach(bot, position)
  mustBeFree(bot, there, item)
  const support = supportOf(bot, there.position)
  await takeInHand(bot, item, signal)
  try {
    if (isUsable(support.block.name)) await sneak(bot, signal)
    await putDown(bot, there, support, signal)
  } finally {
    bot.setControlState('sneak', false)
  }
  return { block: bot.blockAt(there.position).name }
}

function mustBeFree (bot, there, item) {
  if (!isReplaceable(there)) {
    throw new ActionFailure('blocked', `at ${there.position} is ${there.name} already`)
  }
  const solid = bot.registry.blocksByName[item]?.boundingBox !== 'empty'
  if (solid && bodyIn(bot, there.position)) {
    throw new ActionFailure('blocked', 'the bot itself stands there')
  }
}

function bodyIn (bot, { x, y, z }) {
  const { position: p, height = 1.8 } = bot.entity
  const half = 0.3 // half a player's width
  return p.x + half > x && p.x - half < x + 1 && p.z + half > z && p.z - half < z + 1 &&
    p.y + height > y && p.y < y + 1
}

/** The neighbour to build against and the side of it to click. Fails: blocked. */
function supportOf (bot, cell) {
  const solid = SIDES
    .map(side => ({ block: bot.blockAt(cell.plus(side)), face: side.scaled(-1) }))
    .filter(({ block }) => block?.boundingBox === 'block' && !isReplaceable(block))
  const support = solid.find(({ block }) => !isUsable(block.name)) ?? solid[0]
  if (!support) throw new ActionFailure('blocked', `nothing to place against at ${cell}`)
  return support
}

async function sneak (bot, signal) {
  bot.setControlState('sneak', true)
  const on = [[bot, 'physicsTick']] // the server hears of it with the next tick
  let ticks = 0
  await until(() => ticks++ > 1, { on, signal, deadlineMs: SNEAKING_MS })
}

// Not placeBlock(): it waits up to 5 s and cannot be called off.
async function putDown (bot, there, { block, face }, signal) {
  signal.throwIfAborted()
  const changed = () => bot.blockAt(there.position)?.stateId !== there.stateId
  await bot._genericPlace(block, face, { forceLook: true, swingArm: 'right' })
  const on = [[bot, `blockUpdate:${there.position}`]]
  if (!await until(changed, { on, signal, deadlineMs: PLACING_MS })) {
    throw new ActionFailure('blocked', `the server did not let it be placed at ${there.position}`)
  }
}
