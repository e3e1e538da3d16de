'use strict'
// Mode 5: dragging the cursor's stack over slots, in three steps: start, slots, end.
// Left spreads evenly, right lays one on each.

const START = 0
const SLOT = 1
const RIGHT = 1

module.exports = function drag (desk, slot, button, items) {
  const screen = desk.player.screen
  const [step, hand] = [button & 3, button >> 2]
  if (step === START) screen.drag = { hand, slots: [] }
  else if (!screen.drag || screen.drag.hand !== hand || !desk.cursor) screen.drag = null
  else if (step === SLOT) addSlot(desk, screen.drag, slot, items)
  else {
    spread(desk, screen.drag, items)
    screen.drag = null
  }
}

function addSlot (desk, { slots }, slot, items) {
  if (slot < 0 || slots.includes(slot) || !desk.accepts(slot, desk.cursor)) return
  const there = desk.read(slot)
  if (!there || items.same(there, desk.cursor)) slots.push(slot)
}

function spread (desk, { hand, slots }, items) {
  const held = desk.cursor
  const each = hand === RIGHT ? 1 : Math.floor(held.count / slots.length)
  let left = held.count
  for (const slot of slots) {
    const before = desk.read(slot)?.count ?? 0
    const moved = Math.min(each, left, held.stackSize - before)
    if (moved > 0) desk.write(slot, items.portion(held, before + moved))
    left -= Math.max(0, moved)
  }
  desk.cursor = items.portion(held, left)
}
