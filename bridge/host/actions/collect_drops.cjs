'use strict'
// Walk over dropped items nearby, all or those of one name; what is not recognised may be one of them.
// Fails: not_found (nothing to be had), not_recognised (something lies there, and none came), inventory_full.
const { ActionFailure } = require('../failure.cjs')
const { nextEvent, until } = require('../waiting.cjs')
const { carriedRange, room, tally } = require('../acting/inventory.cjs')
const { dropsWithin, stackOf } = require('../acting/drops.cjs')
const { walkTo } = require('../acting/walking.cjs')
const { sparing } = require('../acting/zones.cjs')

// Blocks to stand off, and how long to wait there: items jump 1.4 far, but not around every corner, and what was
// thrown lies 2 s before anybody gets it.
const APPROACHES = [{ within: 1.25, pickupMs: 800 }, { within: 0.5, pickupMs: 1600 }]
const FLIGHT_MS = 3000
const STILL_MS = 1100 // servers tell once a second where an item is

module.exports = async function collectDrops (bot, { radius, item, spared }, { signal, progress }) {
  const isSpared = sparing(spared)
  const mayBeIt = drop => !item || (stackOf(bot, drop)?.name ?? item) === item
  const around = () => dropsWithin(bot, radius).filter(drop => mayBeIt(drop) && !isSpared(drop.position))
  const total = around().length
  if (total === 0) throw nothingLies(radius, item)
  const before = carried(bot)
  const visited = new Set()
  for (let drop; (drop = nextDrop(bot, around(), visited));) {
    visited.add(drop.id)
    await fetchDrop(bot, drop, signal)
    progress(visited.size, Math.max(total, visited.size))
  }
  return summary(bot, before, around())
}

function nothingLies (radius, item) {
  const what = item ? `no ${item}` : 'nothing'
  return new ActionFailure('not_found', `${what} lies within ${radius} blocks`)
}

// Several fall into the bag while it walks to one; they are gone when their turn would come.
function nextDrop (bot, drops, visited) {
  return drops.find(drop => !visited.has(drop.id) && fits(bot, drop))
}

function fits (bot, drop) {
  const item = stackOf(bot, drop)
  return !item || room(bot.inventory, carriedRange(bot.inventory), item) > 0
}

async function fetchDrop (bot, drop, signal) {
  const arrival = new AbortController()
  const either = AbortSignal.any([signal, arrival.signal])
  const onGone = entity => { if (entity === drop) arrival.abort() }
  bot.on('entityGone', onGone)
  try {
    await landing(bot, drop, either)
    for (const step of APPROACHES) await approach(bot, drop, step, either)
  } catch (error) {
    // Gone, or out of reach: the others may not be.
    if (signal.aborted || !(arrival.signal.aborted || error instanceof ActionFailure)) throw error
  } finally {
    bot.removeListener('entityGone', onGone)
  }
}

// What was thrown is not to be walked to where it flew.
async function landing (bot, drop, signal) {
  const accept = entity => entity === drop
  const end = performance.now() + FLIGHT_MS
  while (flies(bot, drop) && performance.now() < end) {
    if (!await nextEvent(bot, 'entityMoved', { signal, deadlineMs: STILL_MS, accept })) return
  }
}

function flies (bot, drop) {
  return [0.1, 1.1].every(depth => bot.blockAt(drop.position.offset(0, -depth, 0))?.name.endsWith('air'))
}

async function approach (bot, drop, { within, pickupMs }, signal) {
  await walkTo(bot, drop.position, within, signal)
  const on = [[bot.inventory, 'updateSlot']]
  await until(() => !fits(bot, drop), { on, signal, deadlineMs: pickupMs })
}

function summary (bot, before, left) {
  const collected = gains(before, carried(bot))
  if (left.some(drop => !fits(bot, drop))) {
    throw new ActionFailure('inventory_full', 'what lies there does not fit', { collected })
  }
  if (Object.keys(collected).length > 0) return { collected }
  if (left.some(drop => !stackOf(bot, drop))) {
    throw new ActionFailure('not_recognised', 'something lies there that I cannot recognise, and none of it came to me')
  }
  throw new ActionFailure('not_found', 'nothing there can be reached')
}

function carried (bot) {
  return tally(bot.inventory, carriedRange(bot.inventory))
}

function gains (before, after) {
  const rows = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)])
  return Object.fromEntries(rows.filter(([, gain]) => gain > 0))
}
