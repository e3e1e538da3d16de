'use strict'
// Eating: 1.6 s with the food in hand, then hunger and saturation rise.

const { takeOver, alive } = require('./clients.cjs')

const EAT_MS = 1600
const QUICK_MS = 800
const QUICK = new Set(['dried_kelp'])
const ALWAYS = new Set([ // also when full
  'golden_apple',
  'enchanted_golden_apple',
  'chorus_fruit',
  'honey_bottle',
  'suspicious_stew'
])
const NO_BITE = new Set(['cake']) // eaten as a block
const FULL = 20
const DONE_STATUS = 9

module.exports = function eating (serv, items, inventory, dropped) {
  function begin (player, { hand }) {
    const slot = hand === 1 ? 45 : inventory.heldSlot(player)
    const item = player.inventory.slots[slot]
    const food = item && serv.registry.foodsByName[item.name]
    if (!alive(player) || !food || NO_BITE.has(item.name)) return
    if (player.food >= FULL && !ALWAYS.has(item.name)) return
    stop(player)
    const ms = QUICK.has(item.name) ? QUICK_MS : EAT_MS
    player.bite = setTimeout(() => swallow(player, slot, item, food), ms)
  }

  function swallow (player, slot, item, food) {
    const now = player.inventory.slots[slot]
    const elsewhere = slot !== 45 && slot !== inventory.heldSlot(player)
    if (!alive(player) || elsewhere || !items.same(now, item)) return
    player._client.write('entity_status', { entityId: player.id, entityStatus: DONE_STATUS })
    const level = Math.min(FULL, player.food + food.foodPoints)
    player.foodSaturation = Math.min(level, (player.foodSaturation ?? 0) + food.saturation)
    player.updateFood(level)
    useUp(player, slot, now)
  }

  function useUp (player, slot, item) {
    const rest = items.portion(item, item.count - 1)
    const remains = items.remains(item)
    inventory.set(player, slot, rest || remains)
    const left = rest && remains && inventory.add(player, remains)
    if (left) dropped.toss(player, left)
  }

  function stop (player) {
    clearTimeout(player.bite)
  }

  serv.on('newPlayer', player => {
    takeOver(serv, player, 'use_item', packet => begin(player, packet))
    player._client.on('held_item_slot', () => stop(player))
    player.once('disconnected', () => stop(player))
  })

  return { stop }
}
