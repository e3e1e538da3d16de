'use strict'
// Moves items by plain left and right clicks only: their effect is the one the client's and the
// server's copy of a window agree about on every version.
const { carriedRange, openWindow, stacksWith } = require('./inventory.cjs')

const LEFT = 0
const RIGHT = 1
const OUTSIDE = -999

/** One click; between two of them an action can be aborted. */
async function click (bot, slot, button, signal) {
  signal?.throwIfAborted()
  await bot.clickWindow(slot, button, 0)
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
 *  Resolves to how many moved; nothing stays on the cursor, aborted or not. */
async function pourStack (bot, stack, land, wanted, signal) {
  const window = openWindow(bot)
  const home = stack.slot
  let moved = 0
  await click(bot, home, LEFT, signal)
  try {
    await leaveSurplus(bot, window, home, wanted, signal)
    while (window.selectedItem && moved < wanted) {
      const slot = land(window.selectedItem)
      if (slot === null) break
      const before = window.selectedItem.count
      await click(bot, slot, before <= wanted - moved ? LEFT : RIGHT, signal)
      moved += before - (window.selectedItem?.count ?? 0)
    }
  } finally {
    await emptyCursor(bot, home)
  }
  return moved
}

// Putting the few back that stay is quicker than putting the many down one by one.
async function leaveSurplus (bot, window, home, wanted, signal) {
  const surplus = window.selectedItem.count - wanted
  if (surplus >= wanted) return
  for (let left = surplus; left > 0; left--) await click(bot, home, RIGHT, signal)
}

/** Move `wanted` from one slot range of the open window to another, over as many stacks as it
 *  takes; resolves to how many moved before the source was empty or the target full. */
async function pour (bot, { from, to, name, wanted, signal }) {
  const window = openWindow(bot)
  let moved = 0
  while (moved < wanted) {
    const stack = window.slots.slice(...from).find(item => item?.name === name)
    if (!stack || landing(window, to, stack) === null) break
    moved += await pourStack(bot, stack, item => landing(window, to, item), wanted - moved, signal)
  }
  return moved
}

/** Put what is on the cursor back: to its home slot, else where it fits, else on the ground. */
async function emptyCursor (bot, home = null) {
  const window = openWindow(bot)
  for (let tries = 0; window.selectedItem && tries < 40; tries++) {
    const item = window.selectedItem
    const there = home === null ? undefined : window.slots[home]
    const atHome = there === null || (there && stacksWith(there, item) && there.count < item.stackSize)
    const slot = atHome ? home : landing(window, carriedRange(window), item)
    await click(bot, slot ?? OUTSIDE, LEFT)
  }
}

module.exports = { LEFT, OUTSIDE, RIGHT, click, emptyCursor, landing, pour, pourStack }
