'use strict'
// The window each player has open: opening, showing, closing. Without one it is the inventory.

const kinds = require('./kinds.cjs')
const { load } = require('./packages.cjs')
const { listen } = require('./clients.cjs')

const LAST_ID = 100
const CURSOR = -1

module.exports = function windows (serv, items, inventory, dropped) {
  const types = load('prismarine-windows')(serv.registry).windows

  /** What a player sees and clicks in: {id, kind, slots, container}; id 0 is the inventory. */
  function current (player) {
    return player.screen.window || { id: 0, kind: kinds.inventory, slots: player.inventory.slots }
  }

  function open (player, kind, container) {
    close(player)
    const id = player.screen.lastId = player.screen.lastId % LAST_ID + 1
    player.screen.window = { id, kind, slots: container.slots, container }
    container.viewers.add(player)
    player._client.write('open_window', {
      windowId: id,
      inventoryType: types[kind.type].type,
      windowTitle: JSON.stringify({ translate: kind.title })
    })
    resync(player)
  }

  /** The client has closed, or must close, its window: what lay in a grid or hand goes back. */
  function close (player) {
    const { window, cursor } = player.screen
    player.screen.window = null
    player.screen.drag = null
    if (window) window.container.viewers.delete(player)
    if (window && window.kind === kinds.crafting) window.slots.slice(1).forEach(giveBack, player)
    emptyOwnGrid(player)
    if (cursor) giveBack.call(player, cursor)
    player.screen.cursor = null
  }

  function emptyOwnGrid (player) {
    for (let slot = 0; slot < kinds.inventory.armour; slot++) {
      const item = player.inventory.slots[slot]
      if (item) inventory.set(player, slot, null)
      if (item && slot > 0) giveBack.call(player, item)
    }
  }

  function giveBack (item) {
    const rest = item && inventory.add(this, item)
    if (rest) dropped.toss(this, rest)
  }

  // The client was told nothing of the clicks that it worked out itself, and with the window it
  // may lose what it made of them: as in vanilla, it is told what it carries.
  function closeFor (player) {
    player._client.write('close_window', { windowId: player.screen.window.id })
    close(player)
    resync(player)
  }

  /** Send everything in the open window again. */
  function resync (player) {
    const { id, slots } = current(player)
    const own = player.inventory.slots
    const shown = id === 0 ? own.slice(0, 46) : [...slots, ...own.slice(9, 45)]
    player._client.write('window_items', { windowId: id, items: shown.map(items.onWire) })
    const item = items.onWire(player.screen.cursor)
    player._client.write('set_slot', { windowId: CURSOR, slot: CURSOR, item })
  }

  function showSlot (player, slot, item) {
    const { id } = current(player)
    player._client.write('set_slot', { windowId: id, slot, item: items.onWire(item) })
  }

  /** Do something of which this player's client is told no slot; other viewers are told as ever. */
  function untold (player, work) {
    const client = player._client
    const { write } = client
    client.write = (name, packet) => { if (name !== 'set_slot') write.call(client, name, packet) }
    try {
      work()
    } finally {
      client.write = write
    }
  }

  inventory.onChange((player, slot, item) => {
    const window = player.screen.window
    if (window && slot >= 9 && slot < 45) showSlot(player, slot - 9 + window.kind.size, item)
  })

  serv.on('newPlayer', player => {
    player.screen = { window: null, cursor: null, drag: null, lastId: 0 }
    listen(serv, player, 'close_window', () => close(player))
    player.once('disconnected', () => close(player))
  })

  return { current, open, close, closeFor, resync, showSlot, untold }
}
