'use strict'
// Walk to a creature and strike it until it is dead. Fails: not_found (gone before, or got
// away), no_path, blocked (it takes no harm).
const { ActionFailure } = require('../failure.cjs')
const { pause } = require('../waiting.cjs')
const { withPrey } = require('../acting/prey.cjs')
const { sparing } = require('../acting/zones.cjs')

const MOST_STROKES = 80
const UNHURT_MS = 550 // nothing is hurt again sooner, and the hand has gathered its strength
const GATHERING_MS = { sword: 650, axe: 1300 } // source: minecraft.wiki/w/Attack_cooldown

module.exports = async function hunt (bot, { mob: id, spared }, { signal, progress }) {
  const isSpared = sparing(spared)
  return await withPrey(bot, id, signal, async prey => {
    let strokes = 0
    while (await prey.comeTo(signal)) {
      if (isSpared(prey.point)) throw new ActionFailure('not_found', `the ${prey.name} got away`)
      if (strokes >= MOST_STROKES) throw new ActionFailure('blocked', `the ${prey.name} takes no harm`)
      bot.attack(prey.entity)
      strokes++
      progress(strokes, MOST_STROKES)
      await pause(pauseOf(bot.heldItem), signal)
    }
    if (!strokes) throw new ActionFailure('not_found', `the ${prey.name} is gone`)
    if (!await prey.hasDied(signal)) throw new ActionFailure('not_found', `the ${prey.name} got away`)
    return { mob: prey.name, strokes }
  })
}

function pauseOf (item) {
  return GATHERING_MS[item?.name.split('_').at(-1)] ?? UNHURT_MS
}
