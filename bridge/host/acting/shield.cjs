'use strict'
// A shield in the off hand: raised while a blow or an arrow is awaited, lowered for a blow and a walk.
const { pause, until } = require('../waiting.cjs')
const { usesHands } = require('../sensing/traits.cjs')

const [SHIELD, OFF_HAND] = ['shield', 45]
const GOES_ON_MS = 600 // skeletons draw for 1000 ms, and a shield holds 250 ms after it was raised
const DRAWS_MS = 3000 // at most: some draw and never shoot
const [FLIES_MS, LANDS_MS] = [40, 150] // an arrow over one block, and to be told of it
const AIMED_AT = Symbol('aimed at')

/** Carry out `waits()` behind the shield, if there is one. */
async function behindShield (bot, waits) {
  if (bot.inventory.slots[OFF_HAND]?.name !== SHIELD) return await waits()
  bot.activateItem(true)
  try {
    return await waits()
  } finally {
    bot.deactivateItem()
  }
}

/** Carry out `walk(signal)`; who has a shield stops as `foe` draws a bow, and lets the arrow come.
 *  Whether it went on undisturbed. */
async function underFire (bot, foe, signal, walk) {
  const aims = () => usesHands(bot.registry, foe)
  const aimed = new AbortController()
  let timer = null
  const look = entity => {
    if (entity === foe && aims()) timer ??= setTimeout(() => aimed.abort(AIMED_AT), GOES_ON_MS)
  }
  const isArmed = bot.inventory.slots[OFF_HAND]?.name === SHIELD
  if (isArmed) bot.on('entityUpdate', look)
  try {
    look(isArmed && foe)
    await walk(AbortSignal.any([signal, aimed.signal]))
    return true
  } catch (error) {
    if (error !== AIMED_AT) throw error
  } finally {
    clearTimeout(timer)
    bot.removeListener('entityUpdate', look)
  }
  await bot.lookAt(foe.position.offset(0, foe.height ?? 1, 0), true)
  await behindShield(bot, () => arrives(bot, foe, aims, signal))
  return false
}

/** The arrow is shot, and has hit or flown by. */
async function arrives (bot, foe, aims, signal) {
  await until(() => !aims(), { on: [[bot, 'entityUpdate'], [bot, 'entityGone']], signal, deadlineMs: DRAWS_MS })
  await pause(LANDS_MS + FLIES_MS * foe.position.distanceTo(bot.entity.position), signal)
}

module.exports = { behindShield, underFire }
