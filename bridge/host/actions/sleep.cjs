'use strict'
// Lie down in a bed in reach, and sleep until woken. Fails: too_far, wrong_block (no bed), blocked:
// `why` is day, monsters, occupied, obstructed, too_far, or '' where the server says nothing we know.
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { stationInReach } = require('../acting/reach.cjs')

const BED = /(^|_)bed$/
const ANSWER_MS = 3000
const FOR_EVER_MS = 2 ** 31 - 1 // the action has a deadline of its own
const HINDRANCES = [
  [/no_?sleep|only sleep/i, 'day'], [/not_?safe|monsters/i, 'monsters'], [/occupied/i, 'occupied'],
  [/obstructed/i, 'obstructed'], [/too_?far/i, 'too_far']
] // keys of vanilla: block.minecraft.bed.no_sleep, tile.bed.noSleep up to 1.12; words of Cuberite

module.exports = async function sleep (bot, { position }, { signal }) {
  const bed = stationInReach(bot, position, name => BED.test(name), 'a bed')
  try {
    await lieDown(bot, bed, signal)
    await until(() => !bot.isSleeping, { on: [[bot, 'wake']], signal, deadlineMs: FOR_EVER_MS })
  } catch (error) {
    if (signal.aborted) await getUp(bot)
    throw error
  }
  return { bed: bed.name }
}

async function lieDown (bot, bed, signal) {
  let why = null
  const hears = { message: line => { why ??= hindrance(line) }, actionBar: line => { why ??= hindrance(line, true) } }
  const on = [[bot, 'sleep'], ...Object.keys(hears).map(event => [bot, event])]
  for (const event in hears) bot.prependListener(event, hears[event])
  try {
    await bot.activateBlock(bed)
    await until(() => bot.isSleeping || why, { on, signal, deadlineMs: ANSWER_MS })
  } finally {
    for (const event in hears) bot.removeListener(event, hears[event])
  }
  if (!bot.isSleeping) throw new ActionFailure('blocked', `the bed cannot be slept in: ${why?.words ?? 'no answer'}`, { why: why?.why ?? '' })
}

/** Words without a key are the server's where no player can write. */
function hindrance (line, isServers = false) {
  const key = line?.translate ?? ''
  const words = /\bbed\b/.test(key) ? key : isServers && !key ? String(line) : ''
  const found = HINDRANCES.find(([pattern]) => pattern.test(words))
  return found ? { why: found[1], words: line.toString() } : null
}

// The server may have laid it down already and not said so yet.
//
// expected: wake() leaves the bed. actual: mineflayer (4.39.0) writes 2, which from 1.21.6 on is to stop
// sprinting. remove when: it writes the name.
async function getUp (bot) {
  const isLying = await until(() => bot.isSleeping, { on: [[bot, 'sleep']], deadlineMs: ANSWER_MS })
  if (!isLying) return
  bot._client.write('entity_action', { entityId: bot.entity.id, actionId: 'stop_sleeping', jumpBoost: 0 })
  await until(() => !bot.isSleeping, { on: [[bot, 'wake']], deadlineMs: ANSWER_MS })
}

Object.assign(module.exports, { HINDRANCES, hindrance })
