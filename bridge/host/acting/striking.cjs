'use strict'
// Striking a creature or a player until it is dead, at the pace of the weapon; between two
// blows behind the shield, if there is one.
const { ActionFailure } = require('../failure.cjs')
const { pause } = require('../waiting.cjs')
const { behindShield } = require('./shield.cjs')

const MOST_STROKES = 80
const UNHURT_MS = 550 // nothing is hurt again sooner, and the hand has gathered its strength
const GATHERING_MS = { sword: 650, axe: 1300 } // source: minecraft.wiki/w/Attack_cooldown

/** The strokes it took. Fails: not_found (gone before, or got away), no_path, blocked. */
async function strikeDown (bot, prey, isSpared, { signal, progress }) {
  let strokes = 0
  while (await prey.comeTo(signal)) {
    if (isSpared(prey.point)) throw new ActionFailure('not_found', `${prey.words} got away`)
    if (strokes >= MOST_STROKES) throw new ActionFailure('blocked', `${prey.words} takes no harm`)
    bot.attack(prey.entity)
    strokes++
    progress(strokes, MOST_STROKES)
    await behindShield(bot, () => pause(pauseOf(bot.heldItem), signal))
  }
  if (!strokes) throw new ActionFailure('not_found', `${prey.words} is gone`)
  if (!await prey.hasDied(signal)) throw new ActionFailure('not_found', `${prey.words} got away`)
  return strokes
}

function pauseOf (item) {
  return GATHERING_MS[item?.name.split('_').at(-1)] ?? UNHURT_MS
}

module.exports = { strikeDown }
