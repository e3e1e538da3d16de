'use strict'
// Bows of players: drawn as long as they are used, shot as they are let go, with an arrow that is
// carried. After vanilla 1.16.5; source: minecraft.wiki/w/Bow.

const { listen, alive } = require('./clients.cjs')
const { show } = require('./shown_health.cjs')

const [BOW, ARROW] = ['bow', 'arrow']
const OFF_HAND = 45
const LET_GO = 5 // of the digging packet
const [FULL_TICKS, LEAST] = [20, 0.1]
const HANDS = { key: 7, type: 0 } // entity metadata: 1 in use

module.exports = function bows (serv, { arrows, items, inventory, wear }) {
  const arrowOf = ({ inventory: { slots } }) => [OFF_HAND, ...slots.keys()].find(slot => slots[slot]?.name === ARROW)

  function draw (player, { hand }) {
    if (hand === 1 || !alive(player) || inventory.held(player)?.name !== BOW || arrowOf(player) === undefined) return
    player.drawnAt = serv.tickCount
    show(player, { ...HANDS, value: 1 })
  }

  function rest (player) {
    if (player.drawnAt === undefined) return
    player.drawnAt = undefined
    show(player, { ...HANDS, value: 0 })
  }

  function shoot (player) {
    const drawn = drawnFor(serv.tickCount - player.drawnAt) // none: NaN
    const slot = arrowOf(player)
    rest(player)
    if (!(drawn >= LEAST) || !alive(player) || slot === undefined) return
    const stack = player.inventory.slots[slot]
    inventory.set(player, slot, items.portion(stack, stack.count - 1))
    wear.use(player, inventory.heldSlot(player), 1)
    arrows.loose(player, drawn)
  }

  serv.on('newPlayer', player => {
    listen(serv, player, 'use_item', packet => draw(player, packet))
    listen(serv, player, 'held_item_slot', () => rest(player))
    listen(serv, player, 'block_dig', ({ status }) => { if (status === LET_GO) shoot(player) })
  })
}

function drawnFor (ticks) {
  const share = ticks / FULL_TICKS
  return Math.min(1, (share * share + share * 2) / 3)
}
