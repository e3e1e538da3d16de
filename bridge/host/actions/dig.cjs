'use strict'
// Break one block in reach with what is held and wait for what drops at the feet.
const { ActionFailure } = require('../failure.cjs')
const { abortable, pause, until } = require('../waiting.cjs')
const { heardOut } = require('../confirming.cjs')
const { letSink } = require('../afloat.cjs')
const { blockInReach, isInReachFrom } = require('../acting/reach.cjs')
const { carriedRange, itemsIn, sum } = require('../acting/inventory.cjs')
const { dropsWithin } = require('../acting/drops.cjs')
const { isAir } = require('../acting/blocks.cjs')
const { TAKING_BACK_MS } = require('../acting/putback.cjs')
const { watchBreak } = require('../witnessing.cjs')
const { breathOf } = require('../sensing/traits.cjs')

const STANDING_MS = 500
const SINKING_MS = 10_000 // at most
const DEEPEST = 4 // blocks that a bot sinks
const MS_A_BLOCK = 2000 // that it takes to sink
const SAVED = 4 / 5 // of the digging, with the feet on the ground; source: minecraft.wiki/w/Breaking
const BREATH = 10 // of 20: enough to go down with
const PICKUP_MS = 1000 // drops can be taken after 0.5 s
const PICKUP_BLOCKS = 1.4 // from the feet, level; source: minecraft.wiki/w/Item_(entity)

module.exports = async function dig (bot, { position, pick_up: pickUp, in_vain: inVain }, { signal }) {
  const block = blockInReach(bot, position)
  mustYield(bot, block, inVain)
  const before = carried(bot)
  const above = alikeAbove(bot, block)
  const watch = watchBreak(bot, block)
  try {
    await breakBlock(bot, block, signal)
    await mustStayBroken(bot, block, above, signal)
    if (!await watch.isGone(signal)) throw notSeen(bot, block)
  } finally {
    watch.release()
  }
  if (pickUp) await takeUp(bot, before, signal)
  return { block: block.name }
}

function mustYield (bot, block, inVain) {
  const { name } = block
  if (isAir(name)) throw new ActionFailure('not_found', `at ${block.position} is only air`)
  if (bot.game.gameMode === 'creative') return
  if (!block.diggable) throw new ActionFailure('blocked', `${name} cannot be broken`)
  const fit = inVain || !block.harvestTools || block.harvestTools[bot.heldItem?.type]
  if (!fit) throw new ActionFailure('no_tool', `${name} drops nothing without a fit tool in hand`)
}

// Off the ground digging takes five times as long. A bot that was just put somewhere counts as off
// it until the next ticks; one that swims goes down where that is quicker.
async function stand (bot, block, signal) {
  const began = performance.now()
  const isDown = ({ onGround, isInWater }) =>
    onGround || (isInWater ? !isWorthSinking(bot, block) : performance.now() - began > STANDING_MS)
  await until(() => isDown(bot.entity), { on: [[bot, 'physicsTick']], signal, deadlineMs: SINKING_MS })
}

function isWorthSinking (bot, block) {
  const floor = floorUnder(bot)
  if (!floor || (breathOf(bot) ?? BREATH) < BREATH) return false
  const sinkingMs = (bot.entity.position.y - floor.y) * MS_A_BLOCK
  return sinkingMs < bot.digTime(block) * SAVED && isInReachFrom(bot, floor, block.position)
}

/** Where the feet of a bot in water come to stand; null if the bottom is too deep. */
function floorUnder (bot) {
  const feet = bot.entity.position
  for (let depth = 1; depth <= DEEPEST; depth++) {
    const below = bot.blockAt(feet.offset(0, -depth, 0))
    if (below?.boundingBox === 'block') return feet.offset(0, below.position.y + 1 - feet.y, 0)
  }
  return null
}

async function breakBlock (bot, block, signal) {
  const letRise = letSink(bot)
  try {
    await stand(bot, block, signal)
    await abortable(bot.dig(block, true), signal)
  } finally {
    letRise()
    bot.stopDigging()
  }
}

// Mineflayer calls a block broken when its own clock says so; the server has the last word.
// Sand that has fallen meanwhile is missing above.
async function mustStayBroken (bot, block, above, signal) {
  await Promise.all([heardOut(bot, signal), pause(TAKING_BACK_MS, signal)])
  if (bot.blockAt(block.position)?.type === block.type && alikeAbove(bot, block) >= above) {
    throw new ActionFailure('blocked', `the server put the ${block.name} back`)
  }
}

// A server that takes no notice leaves the block where it is.
function notSeen (bot, { name, position, stateId }) {
  bot._updateBlockState(position, stateId)
  return new ActionFailure('unconfirmed', `the server does not show that the ${name} is gone`)
}

function alikeAbove (bot, { position, type }) {
  let count = 0
  while (bot.blockAt(position.offset(0, count + 1, 0))?.type === type) count++
  return count
}

async function takeUp (bot, before, signal) {
  const settled = () => carried(bot) > before && dropsWithin(bot, PICKUP_BLOCKS).length === 0
  const nothingFalls = () => dropsWithin(bot, PICKUP_BLOCKS + 1).length === 0
  if (nothingFalls()) return
  const on = [[bot.inventory, 'updateSlot'], [bot, 'entityGone']]
  await until(() => settled() || nothingFalls(), { on, signal, deadlineMs: PICKUP_MS })
}

function carried (bot) {
  return sum(itemsIn(bot.inventory, carriedRange(bot.inventory)))
}
