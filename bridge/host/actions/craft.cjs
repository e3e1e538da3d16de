'use strict'
// Make at least `count` of an item, at a table when the recipe needs one.
// Fails: unknown_item, no_recipe, missing_item, too_far, wrong_block, inventory_full, window_closed, unconfirmed.
const { ActionFailure } = require('../failure.cjs')
const { namesOf } = require('../names.cjs')
const { stationInReach } = require('../acting/reach.cjs')
const { ClickRefused, lookAnew, mustBeOpen, settled } = require('../acting/clicking.cjs')
const { craftOnce, tidyUp } = require('../acting/grid.cjs')
const { carriedRange, count, itemsIn, room } = require('../acting/inventory.cjs')
const { lacking, layouts, schedule } = require('../acting/recipes.cjs')
const windows = require('../acting/windows.cjs')

const MOST_LOOKS = 2 // anew, at what the server refused

module.exports = async function craft (bot, action, { signal, progress }) {
  const made = knownItem(bot, action.item)
  const order = { ...action, result: made, ...grid(bot, action, made) }
  const window = order.station ? await windows.open(bot, order.station, signal) : bot.inventory
  try {
    return { made: await craftAll(bot, window, order, signal, progress) }
  } finally {
    if (order.station) await windows.close(bot, window)
  }
}

function knownItem (bot, name) {
  const item = namesOf(bot.registry).item(name)
  if (!item) throw new ActionFailure('unknown_item', `there is no item ${name}`)
  return item
}

/** The layouts to try, and the station they are laid out at. */
function grid (bot, { item, table, count, of }, made) {
  const byHand = layouts(bot, made, 2).filter(({ needsTable }) => !needsTable)
  const atTable = layouts(bot, made, 3)
  if (atTable.length === 0) throw new ActionFailure('no_recipe', `nothing makes ${item}`)
  const enough = schedule(byHand, usable(bot.inventory, of), count) !== null
  if (byHand.length === atTable.length || (enough && !table)) return { tries: byHand }
  if (!table) throw wantsTable(bot, { item, count, of }, atTable)
  const isTable = name => name === 'crafting_table'
  return { tries: atTable, station: stationInReach(bot, table, isTable, 'a crafting table') }
}

// What lacks even at a table is told before anybody walks to one.
function wantsTable (bot, { item, count, of }, atTable) {
  const items = usable(bot.inventory, of)
  if (!schedule(atTable, items, count)) return lack(bot, { item, count }, atTable, items, 0)
  return new ActionFailure('no_recipe', `${item} needs a crafting table`, { needs_table: true })
}

async function craftAll (bot, window, order, signal, progress) {
  const before = count(bot, order.item)
  const made = () => count(bot, order.item) - before
  let tries = order.tries
  let looks = MOST_LOOKS
  while (made() < order.count) {
    mustBeOpen(bot, window)
    const items = usable(window, order.of)
    const crafts = schedule(tries, items, order.count - made())
    if (!crafts) throw lack(bot, order, tries, items, made())
    const [next] = crafts
    if (!hasRoom(window, order, next)) {
      throw new ActionFailure('inventory_full', `no room for ${order.item}`, { made: made() })
    }
    const so = made()
    const believed = tally(items)
    const crafted = await craftOnce(bot, window, { item: order.item, ...next }, signal)
      .catch(error => isRefused(error, looks))
    if (!crafted && looks-- > 0) {
      await lookAnew(bot, signal)
      await tidyUp(bot, window)
      if (crafted === null || tally(usable(window, order.of)) !== believed) continue
    }
    if (!crafted) tries = tries.filter(layout => layout !== next.layout)
    else if (made() === so) {
      mustBeOpen(bot, window) // else it comes back from the cursor yet
      throw new ActionFailure('internal', 'what was made is gone', { made: so })
    }
    progress(Math.min(made(), order.count), order.count)
  }
  await settled(bot, signal)
  if (made() >= order.count) return made()
  throw new ActionFailure('unconfirmed', `the server took back the ${order.item}`, { made: made() })
}

// Others take things while the bot moves them: it may have counted on what is gone.
function isRefused (error, looks) {
  if (error instanceof ClickRefused && looks > 0) return null
  throw error
}

function tally (items) {
  return items.map(({ name, count }) => `${count} ${name}`).sort().join()
}

function lack (bot, { item, tries: all, count }, tries, items, made) {
  if (all && tries.length < all.length) {
    const text = `the server makes no ${item} of what is carried`
    return new ActionFailure('missing_item', text, { made })
  }
  const rows = lacking(bot, tries, items, count - made)
  if (!rows.length) {
    return new ActionFailure('missing_item', `what is carried is not of the kind that ${item} is made of`, { made })
  }
  const text = `for ${count} ${item} there lack ${rows.map(([name, n]) => `${n} ${name}`).join(', ')}`
  return new ActionFailure('missing_item', text, { made, missing: Object.fromEntries(rows) })
}

// A stack the recipe uses up leaves its slot to the result.
function hasRoom (window, { result: { id, metadata = 0, stackSize } }, { layout, placing }) {
  const stack = { type: id, metadata, stackSize }
  if (room(window, carriedRange(window), stack) >= layout.made) return true
  const used = id => placing.filter(([, one]) => one.id === id).length
  return carried(window).some(({ type, count }) => used(type) >= count)
}

/** What of it may be used: all, or the items of these names. */
function usable (window, names) {
  const items = carried(window)
  return names?.length ? items.filter(({ name }) => names.includes(name)) : items
}

function carried (window) {
  return itemsIn(window, carriedRange(window))
}
