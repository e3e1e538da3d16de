'use strict'
// Mode 6: double click, the cursor's stack filled up from all slots, small stacks first.

module.exports = function gather (desk, slot, button, items) {
  for (const fullToo of [false, true]) {
    for (let index = 0; index < desk.total; index++) takeFrom(desk, index, fullToo, items)
  }
}

function takeFrom (desk, index, fullToo, items) {
  const held = desk.cursor
  const there = desk.read(index)
  if (!held || held.count >= held.stackSize || desk.givesOnly(index)) return
  if (!items.same(there, held) || (!fullToo && there.count === there.stackSize)) return
  const moved = Math.min(there.count, held.stackSize - held.count)
  desk.cursor = items.portion(held, held.count + moved)
  desk.write(index, items.portion(there, there.count - moved))
}
