'use strict'
// Put a carried item down as a block, where it stays. Fails: missing_item, too_far, blocked.
const standing = require('../../vanilla/standing.cjs')
const { groundAt } = require('../ground.cjs')
const { namesOf } = require('../names.cjs')
const { load } = require('../packages.cjs')
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { blockInReach } = require('../acting/reach.cjs')
const { isReplaceable, isUsable } = require('../acting/blocks.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { isLit } = require('../acting/light.cjs')
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
  const support = supportOf(bot, there.position, holdersOf(bot, item, there.position))
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
  const solid = namesOf(bot.registry).block(item)?.boundingBox !== 'empty'
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

/** The sides that hold an item there, or all where none needs to. Fails: blocked. */
function holdersOf (bot, item, cell) {
  const look = (dx, dy, dz) => groundAt(bot, cell.offset(dx, dy, dz))
  const holding = standing.sidesFor(item, look)?.map(String)
  if (standing.needsLight(item) && !isLit(bot, cell)) {
    throw new ActionFailure('blocked', `${item} needs light: a torch near it or the open sky, and ${cell} is dark`)
  }
  if (holding?.length === 0) {
    throw new ActionFailure('blocked', `${standing.whyNot(item, look)}, and at ${cell} it would not stay`)
  }
  return holding ? SIDES.filter(side => holding.includes(String(side.toArray()))) : SIDES
}

/** The neighbour of those sides to build against and the side of it to click. Fails: blocked. */
function supportOf (bot, cell, sides) {
  const solid = sides
    .map(side => ({ block: bot.blockAt(cell.plus(side)), face: side.scaled(-1) }))
    .filter(({ block }) => block && (sides !== SIDES || (block.boundingBox === 'block' && !isReplaceable(block))))
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
