'use strict'
// Mode 2: a number key, a slot against one of the hotbar or (button 40) the off hand.

const OFF_HAND_KEY = 40

module.exports = function swap (desk, slot, button, items) {
  const other = button === OFF_HAND_KEY ? desk.offHand : desk.hotbar[button]
  if (slot < 0 || other === undefined || other >= desk.total || slot === other) return
  const [there, here] = [desk.read(slot), desk.read(other)]
  if (desk.givesOnly(slot)) return takeInto(desk, slot, there, other, here)
  if (here && !desk.accepts(slot, here)) return
  desk.write(slot, here)
  desk.write(other, there)
}

function takeInto (desk, slot, there, other, here) {
  if (!there || here) return
  desk.write(other, there)
  if (desk.isCrafted(slot)) desk.useIngredients()
  else desk.write(slot, null)
}
