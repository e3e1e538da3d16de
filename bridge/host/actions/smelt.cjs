'use strict'
// Cook `count` of an item in a furnace and take the product. Who resumes cooks what it left there.
// Fails: missing_item, too_far, wrong_block, no_recipe, blocked (in use by someone), window_closed.
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { mustBeOpen } = require('../acting/clicking.cjs')
const { stationInReach } = require('../acting/reach.cjs')
const { isFurnace } = require('../acting/blocks.cjs')
const { burns } = require('../../vanilla/furnace.cjs')
const { FUEL, INPUT, OUTPUT, put, take, watch } = require('../acting/furnace.cjs')
const { amount, count } = require('../acting/inventory.cjs')
const windows = require('../acting/windows.cjs')

const LIGHTING_MS = 2500 // what does not cook by then is nothing to cook
const NOTHING = { product: null, made: 0, left: 0 }
const COOKING_MS = 30_000 // for one item; a furnace takes 10 s

module.exports = async function smelt (bot, action, { signal, progress }) {
  const block = stationInReach(bot, action.furnace, isFurnace, 'a furnace')
  if (!action.resumes) mustHave(bot, action)
  const pieces = action.pieces?.length ? [...action.pieces] : null
  const cold = [action.fuel, ...(pieces ?? [])].find(name => !burns(name))
  if (cold) throw new ActionFailure('no_recipe', `${cold} does not burn`)
  const window = await windows.open(bot, block, signal)
  const job = { bot, window, signal, progress, ...action, pieces, ...watch(bot, window) }
  try {
    const back = action.resumes ? await takeLeft(job) : NOTHING
    mustBeFree(job)
    if (back.made && !back.left) return { product: back.product, made: back.made }
    job.total = back.left || mustHave(bot, action)
    const { product, made } = await cook(job)
    return { product, made: made + back.made }
  } finally {
    job.release()
    await takeBack(job)
    await windows.close(bot, window)
  }
}

/** How many there are to cook. Fails: missing_item. */
function mustHave (bot, { item, fuel, count: wanted }) {
  const total = amount(wanted, count(bot, item), item)
  amount(1, count(bot, fuel), fuel)
  return total
}

/** Take back what the bot left in a furnace when it died: what is cooked, and what is not. */
async function takeLeft ({ bot, window, item, signal }) {
  const [inside, cooked] = [window.slots[INPUT], window.slots[OUTPUT]]
  if (inside && inside.name !== item) return NOTHING
  const made = await take(bot, window, OUTPUT, signal)
  const left = await take(bot, window, INPUT, signal)
  await take(bot, window, FUEL, signal)
  return { product: cooked?.name ?? null, made, left }
}

function mustBeFree ({ window, item, state }) {
  const there = [window.slots[INPUT], window.slots[OUTPUT]].find(Boolean)
  if (there) throw new ActionFailure('blocked', `the furnace holds ${there.count} ${there.name}`)
  state.isOurs = true
}

async function cook (job) {
  const { bot, window, state, item, fuel, signal, progress, total } = job
  const tally = { product: null, made: 0 }
  let loaded = 0
  while (tally.made < total) {
    mustBeOpen(bot, window)
    if (window.slots[OUTPUT]) {
      await collect(job, tally)
      progress(Math.min(tally.made, total), total)
    } else if (!window.slots[INPUT] && loaded < total) {
      loaded += await put(bot, window, INPUT, item, total - loaded, signal)
    } else if (!window.slots[FUEL] && nextFuel(job)) {
      await put(bot, window, FUEL, nextFuel(job), 1, signal) // the rest need not wait here
      job.pieces?.shift()
    } else if (isOut(state) && !window.slots[FUEL]) {
      throw new ActionFailure('missing_item', `the ${fuel} is used up`, tally)
    } else await nextChange(job, tally)
  }
  return tally
}

async function collect ({ bot, window, state, signal }, tally) {
  tally.product = window.slots[OUTPUT].name
  tally.made += await take(bot, window, OUTPUT, signal)
  state.cooked = 0
}

/** What to put in next, undefined when there is none. */
function nextFuel ({ bot, fuel, pieces }) {
  const [next] = pieces ?? [fuel]
  return next && count(bot, next) > 0 ? next : undefined
}

function isOut ({ fire, cooked }) {
  return fire === 0 && cooked === 0
}

/** Wait until there is something to do. Fails: no_recipe. */
async function nextChange (job, tally) {
  const { bot, window, state, item, fuel, signal } = job
  const on = [[window, 'property'], [window, 'updateSlot'], [bot, 'windowClose']]
  const isClosed = () => bot.currentWindow !== window
  const cooks = () => state.cooked > 0 || window.slots[OUTPUT] || isClosed()
  if (!await until(cooks, { on, signal, deadlineMs: LIGHTING_MS })) {
    throw new ActionFailure('no_recipe', `${item} does not cook with ${fuel}`, tally)
  }
  const wantsFuel = () => !window.slots[FUEL] && nextFuel(job) !== undefined
  const due = () => window.slots[OUTPUT] || wantsFuel() || isOut(state) || isClosed()
  await until(due, { on, signal, deadlineMs: COOKING_MS })
}

// Whatever ended the action, its things are not left in the fire.
async function takeBack ({ bot, window, state }) {
  if (!state.isOurs || bot.currentWindow !== window) return
  for (const slot of [OUTPUT, INPUT, FUEL]) await take(bot, window, slot)
}
