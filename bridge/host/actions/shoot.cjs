'use strict'
// Shoot arrows at a creature until it is dead or near. Fails: missing_item (no bow, no arrow),
// not_found (gone before, or got away), blocked (something or somebody is in the way).
const { ActionFailure } = require('../failure.cjs')
const { pause } = require('../waiting.cjs')
const { isClear, lead } = require('../acting/aiming.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { count } = require('../acting/inventory.cjs')
const { withPrey } = require('../acting/prey.cjs')

const DRAWN_MS = 1100 // 20 ticks draw it in full; source: minecraft.wiki/w/Bow
const SEEN_TICKS = 22 // in which it is seen where it goes
const MIDDLE = 0.6 // of its height

module.exports = async function shoot (bot, { mob: id, nearest }, { signal, progress }) {
  return await withPrey(bot, id, signal, async prey => {
    let shots = 0
    await takeInHand(bot, 'bow', signal)
    while (prey.isThere && prey.distance > nearest) {
      if (count(bot, 'arrow') === 0) throw new ActionFailure('missing_item', 'no arrow carried')
      if (!isClear(bot, prey.entity, middleOf(prey))) throw new ActionFailure('blocked', `something is before ${prey.words}`)
      if (await draw(bot, prey, nearest, signal)) progress(++shots, shots)
    }
    const isDead = !prey.isThere && await prey.hasDied(signal)
    if (!prey.isThere && !isDead) throw new ActionFailure('not_found', `${prey.words} got away`)
    return { mob: prey.name, shots, dead: isDead }
  })
}

/** One shot, unless it is gone or near by then; whether it was shot. */
async function draw (bot, prey, nearest, signal) {
  const before = prey.point
  await bot.lookAt(middleOf(prey), true)
  bot.activateItem()
  try {
    await pause(DRAWN_MS, signal)
    const aim = prey.isThere && prey.distance > nearest && lead(bot, middleOf(prey), prey.point.minus(before).scaled(1 / SEEN_TICKS))
    if (!aim || !isClear(bot, prey.entity, middleOf(prey))) {
      bot.setQuickBarSlot((bot.quickBarSlot + 1) % 9) // only another item in hand takes a drawn bow back
      return false
    }
    await bot.lookAt(aim, true)
    await bot.waitForTicks(1) // the look goes out with a tick
    return true
  } finally {
    bot.deactivateItem()
  }
}

function middleOf ({ entity, point }) {
  return point.offset(0, (entity.height ?? 1) * MIDDLE, 0)
}
