'use strict'
// Moves items by plain left and right clicks only: their effect is the one the client's and the
// server's copy of a window agree about on every version.
const { ActionFailure } = require('../failure.cjs')
const { load } = require('../packages.cjs')
const { heardOut } = require('../confirming.cjs')
const { nextEvent, until } = require('../waiting.cjs')
const { carriedRange, openWindow, stacksWith } = require('./inventory.cjs')

const LEFT = 0
const RIGHT = 1
const OUTSIDE = -999
const SHOWING_MS = 500 // for the server to send all slots again
const MOST_IN_VAIN = 3 // tries in a row that moved nothing
const REFUSAL = /^Server rejected transaction/ // mineflayer's

/** The server refused a click, as its slots were not what the bot took them for. By now the bot
 *  knows them. */
class ClickRefused extends ActionFailure {
  constructor () {
    super('internal', 'the server refused a click')
  }
}

/** One click in this window; between two of them an action can be aborted.
 *  Fails: ClickRefused, window_closed. */
async function click (bot, window, slot, button, signal) {
  signal?.throwIfAborted()
  mustBeOpen(bot, window)
  const told = bot.cursorsTold
  try {
    await bot.clickWindow(slot, button, 0)
  } catch (error) {
    const isRefused = REFUSAL.test(error.message)
    if (isRefused) await cursorTold(bot, told)
    mustBeOpen(bot, window)
    throw isRefused ? new ClickRefused() : error
  }
}

/** Wait until the server has dealt with all clicks. From 1.17 on it answers none of them, and only
 *  shows what became otherwise. Fails: unconfirmed. */
async function settled (bot, signal) {
  if (!bot.supportFeature('transactionPacketExists')) await heardOut(bot, signal)
}

// A server that refused a click shows everything, the cursor last.
async function cursorTold (bot, told) {
  await until(() => bot.cursorsTold > told, { on: [[bot, 'cursor']], deadlineMs: SHOWING_MS })
}

/** Whoever broke the block closed its window: the same numbers are other slots then.
 *  Fails: window_closed. */
function mustBeOpen (bot, window) {
  if (openWindow(bot) !== window) throw new ActionFailure('window_closed', 'the window was closed')
}

/** Have the server send all slots of the open window again, and the cursor. */
async function lookAnew (bot, signal) {
  const window = openWindow(bot)
  const isTold = bot.supportFeature('transactionPacketExists')
  const shown = nextEvent(bot, isTold ? 'cursor' : `setWindowItems:${window.id}`, { signal, deadlineMs: SHOWING_MS })
  if (isTold) bot._client.write('window_click', wrongClick(bot, window))
  else bot._syncWindow(window).catch(() => {}) // it waits for longer than we do
  await shown
}

// The end of a drag that never began, with an item it cannot have met: nothing moves, and the
// server shows everything to a client that is so wrong.
function wrongClick ({ registry }, { id: windowId }) {
  const Item = load('prismarine-item')(registry)
  return { windowId, slot: OUTSIDE, mouseButton: 2, action: 0, mode: 5, item: Item.toNotch(new Item(1, 1)) }
}

/** Where the item on the cursor can land in a slot range: a stack to fill, else a free slot. */
function landing (window, [start, end], item) {
  let free = null
  for (let slot = start; slot < end; slot++) {
    const there = window.slots[slot]
    if (!there) free ??= slot
    else if (stacksWith(there, item) && there.count < item.stackSize) return slot
  }
  return free
}

/** Move up to `wanted` of one stack to where `land(item)` says (a slot, or null: no room).
 *  Resolves to how many moved before there was no more, no room, or the server refused a click;
 *  nothing stays on the cursor, aborted or not. Fails: window_closed. */
async function pourStack (bot, window, stack, land, wanted, signal) {
  const home = stack.slot
  let moved = 0
  try {
    await click(bot, window, home, LEFT, signal)
    await leaveSurplus(bot, window, home, wanted, signal)
    while (window.selectedItem && moved < wanted) {
      const slot = land(window.selectedItem)
      if (slot === null) break
      const before = window.selectedItem.count
      await click(bot, window, slot, before <= wanted - moved ? LEFT : RIGHT, signal)
      moved += before - (window.selectedItem?.count ?? 0)
    }
  } catch (error) {
    unlessRefused(error)
  } finally {
    await emptyCursor(bot, window, home)
  }
  return moved
}

// Putting the few back that stay is quicker than putting the many down one by one.
async function leaveSurplus (bot, window, home, wanted, signal) {
  const surplus = window.selectedItem.count - wanted
  if (surplus >= wanted) return
  for (let left = surplus; left > 0; left--) await click(bot, window, home, RIGHT, signal)
}

/** Move `wanted` from one slot range of a window to another, over as many stacks as it takes;
 *  resolves to how many moved before the source was empty or the target full.
 *  Fails: window_closed. */
async function pour (bot, window, { from, to, name, wanted, signal }) {
  const find = () => {
    const stack = window.slots.slice(...from).find(item => item?.name === name)
    return stack && landing(window, to, stack) !== null ? stack : null
  }
  return await pourAll(bot, window, find, item => landing(window, to, item), wanted, signal)
}

/** `pourStack` of the stack that `find()` gives, until it gives none or so many moved.
 *  Fails: window_closed, unconfirmed; ClickRefused, again and again. */
async function pourAll (bot, window, find, land, wanted, signal) {
  let [moved, inVain] = [0, 0]
  for (let stack = find(); stack && moved < wanted; stack = find()) {
    const some = await pourStack(bot, window, stack, land, wanted - moved, signal)
    moved += some
    inVain = some ? 0 : inVain + 1
    if (inVain === MOST_IN_VAIN) throw new ClickRefused()
  }
  await settled(bot, signal)
  return moved
}

/** Put what is on the cursor back: to its home slot, else where it fits, else on the ground.
 *  Whoever closes a window gives it back. */
async function emptyCursor (bot, window, home = null) {
  for (let tries = 0; openWindow(bot) === window && window.selectedItem && tries < 40; tries++) {
    const item = window.selectedItem
    const there = home === null ? undefined : window.slots[home]
    const atHome = there === null || (there && stacksWith(there, item) && there.count < item.stackSize)
    const slot = atHome ? home : landing(window, carriedRange(window), item)
    await click(bot, window, slot ?? OUTSIDE, LEFT).catch(unlessRefused) // then another try
  }
}

function unlessRefused (error) {
  if (!(error instanceof ClickRefused)) throw error
}

module.exports = {
  ClickRefused, LEFT, OUTSIDE, RIGHT, click, emptyCursor, landing, lookAnew, mustBeOpen, pour, pourAll, settled
}
