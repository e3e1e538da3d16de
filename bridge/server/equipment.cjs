'use strict'
// What others see in a player's hand.
//
// expected: others see the item in the chosen hotbar slot
// actual:   flying-squid shows the same wrong item at every change, and none when the slot changes
// remove when: inventory.js of flying-squid reads slot 36 + heldItemSlot

const { takeOver } = require('./clients.cjs')

const MAIN_HAND = 0

module.exports = function equipment (serv, items, inventory) {
  function show (player) {
    const item = inventory.held(player)
    player.setEquipment(MAIN_HAND, item || undefined) // for those who come near later
    const equipments = [{ slot: MAIN_HAND, item: items.onWire(item) }]
    player._writeOthersNearby('entity_equipment', { entityId: player.id, equipments })
  }

  inventory.onChange((player, slot) => {
    if (slot === inventory.heldSlot(player)) show(player)
  })

  serv.on('newPlayer', player => takeOver(serv, player, 'held_item_slot', ({ slotId }) => {
    if (slotId < 0 || slotId > 8) return
    player.heldItemSlot = slotId
    show(player)
  }))
}
