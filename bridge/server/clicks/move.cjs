'use strict'
// Mode 1: shift click, a stack to the other side of the window.

const MOST_CRAFTS = 64

module.exports = function move (desk, slot, button, items) {
  const there = slot >= 0 ? desk.read(slot) : null
  if (!there) return
  if (desk.isCrafted(slot)) return craftAll(desk, slot, there, items)
  desk.write(slot, null)
  const rest = desk.fill(there, destinations(desk, slot, there))
  if (rest) desk.write(slot, rest)
}

/** Craft the same item until ingredients or room run out. */
function craftAll (desk, slot, first, items) {
  const order = [...desk.hotbar, ...desk.main].reverse()
  for (let i = 0; i < MOST_CRAFTS; i++) {
    const made = desk.read(slot)
    if (!made || !items.same(made, first)) return
    const rest = desk.fill(made, order)
    if (rest && rest.count === made.count) return
    desk.useIngredients()
    if (rest) return desk.throwOut(rest)
  }
}

function destinations (desk, slot, item) {
  const own = [...desk.main, ...desk.hotbar]
  if (!own.includes(slot)) return desk.givesOnly(slot) ? own.reverse() : own
  const beyond = beyondOwn(desk, item)
  if (beyond.length) return beyond
  return desk.hotbar.includes(slot) ? desk.main : desk.hotbar
}

/** The slots of the window itself this item would go to. */
function beyondOwn (desk, item) {
  const { kind } = desk
  if (kind.grid) return freeArmour(desk, item)
  if (kind.fuel === undefined) return range(kind.size)
  if (desk.smelts(item)) return [kind.input]
  return desk.accepts(kind.fuel, item) ? [kind.fuel] : []
}

function freeArmour (desk, item) {
  const first = desk.kind.armour
  if (first === undefined) return []
  const fits = index => desk.isArmour(index, item) && !desk.read(index)
  return [0, 1, 2, 3].map(piece => first + piece).filter(fits)
}

function range (size) {
  return Array.from({ length: size }, (_, i) => i)
}
