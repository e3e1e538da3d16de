'use strict'
// Mode 0: left and right click, with the cursor.

const OUTSIDE = -999
const LEFT = 0

module.exports = function pick (desk, slot, button, items) {
  if (slot === OUTSIDE) return throwCursor(desk, button, items)
  const there = desk.read(slot)
  if (desk.givesOnly(slot)) return take(desk, slot, there, button, items)
  if (!desk.cursor) return there && lift(desk, slot, there, button, items)
  if (!desk.accepts(slot, desk.cursor)) return
  if (!there || items.same(there, desk.cursor)) return lay(desk, slot, there, button, items)
  desk.write(slot, desk.cursor)
  desk.cursor = there
}

function throwCursor (desk, button, items) {
  const item = desk.cursor
  if (!item) return
  const count = button === LEFT ? item.count : 1
  desk.throwOut(items.portion(item, count))
  desk.cursor = items.portion(item, item.count - count)
}

/** All of a slot with the left button, the larger half with the right one. */
function lift (desk, slot, there, button, items) {
  const count = button === LEFT ? there.count : Math.ceil(there.count / 2)
  desk.cursor = items.portion(there, count)
  desk.write(slot, items.portion(there, there.count - count))
}

function lay (desk, slot, there, button, items) {
  const held = desk.cursor
  const before = there ? there.count : 0
  const moved = Math.min(button === LEFT ? held.count : 1, held.stackSize - before)
  if (moved <= 0) return
  desk.write(slot, items.portion(held, before + moved))
  desk.cursor = items.portion(held, held.count - moved)
}

/** From a slot that gives only: onto the cursor, whole, when it fits there. */
function take (desk, slot, there, button, items) {
  if (!there) return
  const held = desk.cursor
  if (!held && !desk.isCrafted(slot)) return lift(desk, slot, there, button, items)
  if (held && !(items.same(held, there) && held.count + there.count <= held.stackSize)) return
  desk.cursor = items.portion(there, there.count + (held ? held.count : 0))
  if (desk.isCrafted(slot)) desk.useIngredients()
  else desk.write(slot, null)
}
