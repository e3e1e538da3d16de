'use strict'
// A bot in deep water that goes nowhere keeps its head out of it, as a player does.

const EYES = 1.62 // blocks above the feet

const sinking = new WeakSet() // bots that go down on purpose

function afloat (bot) {
  let isTreading = false

  bot.on('physicsTick', () => {
    const isBusy = bot.pathfinder?.goal || bot.targetDigBlock || sinking.has(bot)
    const isIdle = bot.entity.isInWater && !isBusy
    if (isIdle) bot.setControlState('jump', isUnder(bot))
    else if (isTreading && !bot.pathfinder?.goal) bot.setControlState('jump', false)
    isTreading = isIdle
  })
}

/** Let a bot go under until the function that this returns is called. */
function letSink (bot) {
  sinking.add(bot)
  return () => sinking.delete(bot)
}

function isUnder (bot) {
  return bot.blockAt(bot.entity.position.offset(0, EYES, 0), false)?.name === 'water'
}

module.exports = { afloat, letSink }
