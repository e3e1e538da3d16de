'use strict'
// Striking a creature or a player until it is dead, at the pace of the weapon; between two
// blows behind the shield, if there is one, or backing out, as from what goes off.
const { ActionFailure } = require('../failure.cjs')
const { pause, until } = require('../waiting.cjs')
const { isSomebodys } = require('../sensing/traits.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')
const { ticksBetween } = require('../../vanilla/weapons.cjs')
const { isAir } = require('./blocks.cjs')
const { ARMS_LENGTH } = require('./prey.cjs')
const { behindShield } = require('./shield.cjs')

const MOST_STROKES = 80
const TICK_MS = 50
const [LIT_AT, OUT_AT] = [3, 7] // blocks; source: minecraft.wiki/w/Creeper
const [STEPS_BACK_AT, MARGIN] = [4, 0.3]
const SWEPT = 3 // blocks around who is struck, that a sword may graze; source: minecraft.wiki/w/Sword
const BLOW_MS = 100 // two ticks, in which a server deals with it
const BACKS_MS = 5000
const DOWN = [0, -1] // blocks below the feet, of ground to step back to

const struckAt = new WeakMap() // bot -> when it struck last

/** The strokes it took. Fails: not_found (gone before, or got away), no_path, blocked (it takes no
 *  harm, or there is no way back from it). */
async function strikeDown (bot, prey, { isSpared = () => false, keepsOff = false }, { signal, progress }) {
  if (keepsOff) prey.reach = ARMS_LENGTH
  let strokes = 0
  while (await prey.comeTo(signal)) {
    if (isSpared(prey.point)) throw new ActionFailure('not_found', `${prey.words} got away`)
    if (strokes >= MOST_STROKES) throw new ActionFailure('blocked', `${prey.words} takes no harm`)
    await gather(bot, prey, keepsOff, signal)
    if (!prey.isInReach) continue
    await strike(bot, prey, signal)
    struckAt.set(bot, performance.now())
    strokes++
    progress(strokes, MOST_STROKES)
    if (keepsOff) await backOut(bot, prey, pauseOf(bot.heldItem), signal)
  }
  if (!strokes) throw new ActionFailure('not_found', `${prey.words} is gone`)
  if (!await prey.hasDied(signal)) throw new ActionFailure('not_found', `${prey.words} got away`)
  return strokes
}

/** One blow. That of a sword grazes whoever stands beside, but not one dealt running. */
async function strike (bot, prey, signal) {
  const runs = bot.heldItem?.name.endsWith('_sword') && isBesideOthers(bot, prey)
  if (!runs) return bot.attack(prey.entity)
  bot.setControlState('sprint', true)
  try {
    bot.attack(prey.entity)
    await pause(BLOW_MS, signal)
  } finally {
    bot.setControlState('sprint', false)
  }
}

function isBesideOthers (bot, { entity, point }) {
  return Object.values(bot.entities).some(other => other !== entity && other !== bot.entity &&
    (other.type === 'player' || mobOf(other.name)) && !isFoe(bot, other) && point.distanceTo(other.position) < SWEPT)
}

function isFoe ({ registry }, other) {
  return mobOf(other.name)?.isHostile && !isSomebodys(registry, other)
}

/** Wait until the hand has its strength again. */
async function gather (bot, prey, keepsOff, signal) {
  const left = (struckAt.get(bot) ?? -Infinity) + pauseOf(bot.heldItem) - performance.now()
  if (keepsOff && prey.distance < LIT_AT) await backOut(bot, prey, left, signal)
  else if (left > 0) await behindShield(bot, () => pause(left, signal))
}

/** Keep off for so long, and until it does not swell any more: that it begins when it is near, and
 *  ends when it is far. Fails: blocked. */
async function backOut (bot, prey, ms, signal) {
  const readyAt = performance.now() + ms
  let [isLit, isCornered] = [false, false]
  const isOver = () => {
    const { distance } = prey
    isLit = distance < LIT_AT || (isLit && distance < OUT_AT + MARGIN)
    const steps = isLit || distance < STEPS_BACK_AT
    isCornered = steps && !isFreeBehind(bot)
    bot.setControlState('back', steps && !isCornered)
    if (prey.isThere) prey.look()
    return isCornered || !prey.isThere || (!isLit && performance.now() >= readyAt)
  }
  try {
    await until(isOver, { on: [[bot, 'physicsTick']], signal, deadlineMs: BACKS_MS })
  } finally {
    bot.setControlState('back', false)
  }
  if (isCornered) throw new ActionFailure('blocked', `there is no way back from ${prey.words}`)
}

/** Whether one can step back on firm ground. */
function isFreeBehind (bot) {
  const { position, yaw } = bot.entity
  const behind = position.offset(Math.sin(yaw), 0, Math.cos(yaw))
  const at = up => bot.blockAt(behind.offset(0, up, 0), false)
  return [0, 1].every(up => isOpen(at(up))) && DOWN.some(down => at(down - 1)?.boundingBox === 'block')
}

function isOpen (block) {
  return block && (isAir(block.name) || (block.boundingBox === 'empty' && !/water|lava|fire/.test(block.name)))
}

function pauseOf (item) {
  return ticksBetween(item?.name) * TICK_MS
}

module.exports = { strikeDown }
