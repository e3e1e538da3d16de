'use strict'
// What deeds may have left behind in a bot: for the one who asks, by a probe.

/** Windows, goals, keys and blocks being dug, and how many listeners there are of each event. */
function of (bot) {
  const { currentWindow, pathfinder, targetDigBlock } = bot
  return {
    window: currentWindow?.type ?? null,
    goal: pathfinder?.goal?.constructor.name ?? null,
    digging: targetDigBlock?.name ?? null,
    keys: Object.entries(bot.controlState).filter(([, down]) => down).map(([key]) => key),
    listeners: { ...counts('', bot), ...counts('client ', bot._client) }
  }
}

function counts (mark, emitter) {
  const names = emitter?.eventNames?.() ?? []
  return Object.fromEntries(names.map(name => [mark + String(name), emitter.listenerCount(name)]))
}

module.exports = { of }
