'use strict'
// Mode 4: the drop key over a slot, one item or (button 1) all.

module.exports = function toss (desk, slot, button, items) {
  const there = slot >= 0 ? desk.read(slot) : null
  if (!there || desk.cursor) return
  if (desk.isCrafted(slot)) {
    desk.throwOut(there)
    return desk.useIngredients()
  }
  const count = button === 0 ? 1 : there.count
  desk.throwOut(items.portion(there, count))
  desk.write(slot, items.portion(there, there.count - count))
}
