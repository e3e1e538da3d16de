'use strict'
// How far a bot walked, as the server counts it in the statistics that it tells who asks. Vanilla tells
// what has changed, up to 1.16 once in 15 s, and else nothing; others tell all, or never anything.

const FAR = 2 // blocks to walk before an account is judged
const PART = 0.25 // of the way at least is counted: vanilla leaves out slow flight, as in a jump
const CLOCK = [15, 25] // what a clock grows by in a second: it counts ticks

/** Mineflayer's plugin: keeps `bot.walked` with the {blocks} since the last account, how many of them
 *  the latest account left out ({uncounted}), and whether this server was seen to count steps ({counts}). */
function counting (bot) {
  const walked = { blocks: 0, uncounted: 0, counts: false }
  const totals = new Map()
  const ways = new Set() // keys of totals that grew by a way
  let last = null
  let judgedAt = 0
  bot.walked = walked
  bot.on('forcedMove', () => { [last, walked.blocks] = [null, 0] })
  bot.on('move', () => {
    const { position } = bot.entity
    if (last && !bot.vehicle) walked.blocks += Math.hypot(position.x - last.x, position.z - last.z)
    last = position.clone()
  })
  bot._client.on('statistics', ({ entries = [] }) => {
    if (!entries.length || (totals.size && walked.blocks < FAR)) return
    if (totals.size) judge(walked, ways, growth(totals, entries), (performance.now() - judgedAt) / 1000)
    for (const entry of entries) totals.set(keyOf(entry), entry.value)
    judgedAt = performance.now()
    walked.blocks = 0
  })
}

function keyOf ({ name, categoryId, statisticId }) {
  return name ?? `${categoryId} ${statisticId}`
}

/** What stands higher than it did: {key, by}. */
function growth (totals, entries) {
  const grown = entries.map(entry => ({ key: keyOf(entry), by: entry.value - (totals.get(keyOf(entry)) ?? 0) }))
  return grown.filter(({ by }) => by > 0)
}

/** A server that is known to count steps took none when nothing has grown but clocks. */
function judge (walked, ways, grown, seconds) {
  const isClock = ({ by }) => by >= CLOCK[0] * seconds && by <= CLOCK[1] * seconds
  const isNone = grown.every(one => isClock(one) && !ways.has(one.key))
  walked.uncounted = walked.counts && isNone ? walked.blocks : 0
  for (const one of grown) if (!isClock(one) && one.by >= 100 * PART * walked.blocks) ways.add(one.key)
  walked.counts = ways.size > 0
}

module.exports = { counting }
