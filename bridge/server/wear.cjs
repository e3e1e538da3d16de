'use strict'
// Tools and armour wear out: one use a block dug, two for a sword; a blow that lands the other way
// round. At the end they break. After vanilla 1.16.5; source: minecraft.wiki/w/Durability.

const OTHERS = { 45: 48, 5: 49, 6: 50, 7: 51, 8: 52 } // entity status by slot: what broke there
const IN_HAND = 47
const BLOWS = [[/_sword$|^trident$/, 1], [/_(axe|pickaxe|shovel|hoe)$/, 2]] // uses of a blow
const CREATIVE = 1

module.exports = function wear (serv, items, inventory) {
  /** Wear what lies in a slot by some uses. */
  function use (player, slot, uses) {
    const item = player.inventory.slots[slot]
    if (!item?.maxDurability) return
    const worn = items.portion(item)
    worn.durabilityUsed = (item.durabilityUsed ?? 0) + uses
    const broken = worn.durabilityUsed >= worn.maxDurability
    inventory.set(player, slot, broken ? null : worn)
    if (!broken) return
    const status = { entityId: player.id, entityStatus: OTHERS[slot] ?? IN_HAND }
    player._client.write('entity_status', status)
    player._writeOthersNearby('entity_status', status)
  }

  const held = player => {
    const isSword = inventory.held(player)?.name.endsWith('_sword')
    use(player, inventory.heldSlot(player), isSword ? 2 : 1)
  }

  function landed (player) {
    const name = inventory.held(player)?.name ?? ''
    const [, uses] = BLOWS.find(([kind]) => kind.test(name)) ?? []
    if (uses && player.gameMode !== CREATIVE) use(player, inventory.heldSlot(player), uses)
  }

  serv.on('newPlayer', player => player.on('landed', () => landed(player)))

  return Object.assign(held, { use })
}
