'use strict'
// Tools wear out: one use a block dug, two for a sword; at the end the tool breaks.

const BREAK_STATUS = 47 // entity status: the item in the main hand broke

module.exports = function wear (serv, items, inventory) {
  return player => {
    const held = inventory.held(player)
    if (!held?.maxDurability) return
    const worn = items.portion(held)
    worn.durabilityUsed = (held.durabilityUsed ?? 0) + (held.name.endsWith('_sword') ? 2 : 1)
    const broken = worn.durabilityUsed >= worn.maxDurability
    inventory.set(player, inventory.heldSlot(player), broken ? null : worn)
    if (!broken) return
    const status = { entityId: player.id, entityStatus: BREAK_STATUS }
    player._client.write('entity_status', status)
    player._writeOthersNearby('entity_status', status)
  }
}
