'use strict'
// A raised shield, where the world is not peaceful: nothing that comes from before the player does
// harm, and the shield wears by it. Axes disable none. After vanilla 1.16.5; source: minecraft.wiki/w/Shield.

const { listen } = require('./clients.cjs')
const { along } = require('./gaze.cjs')
const { show } = require('./shown_health.cjs')

const SHIELD = 'shield'
const OFF_HAND = 45
const LET_GO = 5 // of the digging packet
const RAISED_AFTER = 5 // ticks
const LEAST = 3 // damage that wears it
const BLOCKED_STATUS = 29
const HANDS = { key: 7, type: 0 } // entity metadata: 1 in use, 2 the off hand
const STOPS = /^death\.attack\.(mob|player|arrow|explosion.*)$/

module.exports = function shield (serv, inventory, wear) {
  function raise (player, { hand }) {
    const main = inventory.held(player)
    // a client offers the main hand first, and what is used there keeps the other still
    const slot = hand === 1 ? OFF_HAND : inventory.heldSlot(player)
    if (player.inventory.slots[slot]?.name !== SHIELD || (hand === 1 && main?.name === SHIELD)) return
    player.shield = { slot, since: serv.tickCount }
    show(player, { ...HANDS, value: hand === 1 ? 3 : 1 })
  }

  function lower (player) {
    if (!player.shield) return
    player.shield = null
    show(player, { ...HANDS, value: 0 })
  }

  inventory.onChange((player, slot, item) => {
    if (player.shield?.slot === slot && item?.name !== SHIELD) lower(player)
  })

  serv.on('newPlayer', player => {
    listen(serv, player, 'use_item', packet => raise(player, packet))
    listen(serv, player, 'held_item_slot', () => { if (player.shield?.slot !== OFF_HAND) lower(player) })
    listen(serv, player, 'block_dig', ({ status }) => { if (status === LET_GO) lower(player) })
  })

  /** Whether the shield takes a blow; then it wears. */
  return (player, damage, { key, by, from = by?.position }) => {
    if (!serv.difficulty || !player.shield || !from || !STOPS.test(key)) return false
    if (serv.tickCount - player.shield.since < RAISED_AFTER || !isBefore(player, from)) return false
    player._client.write('entity_status', { entityId: player.id, entityStatus: BLOCKED_STATUS })
    player._writeOthersNearby('entity_status', { entityId: player.id, entityStatus: BLOCKED_STATUS })
    if (damage >= LEAST) wear.use(player, player.shield.slot, 1 + Math.floor(damage))
    return true
  }
}

function isBefore (player, from) {
  const [{ x, z }, way] = [along(player), from.minus(player.position)]
  return x * way.x + z * way.z > 0
}
