'use strict'
// A click in a window, by vanilla's seven modes; one file each in clicks/.

const { takeOver, alive } = require('./clients.cjs')
const desks = require('./desk.cjs')
const pick = require('./clicks/pick.cjs')
const move = require('./clicks/move.cjs')
const swap = require('./clicks/swap.cjs')
const clone = require('./clicks/clone.cjs')
const toss = require('./clicks/toss.cjs')
const drag = require('./clicks/drag.cjs')
const gather = require('./clicks/gather.cjs')

const MODES = [pick, move, swap, clone, toss, drag, gather]
const PICK = 0 // the number of its mode
const OUTSIDE = -999

module.exports = function clicks (serv, parts) {
  const { items, windows } = parts
  const deskOf = desks(parts)

  function click (player, { windowId, slot, mouseButton, mode, action, item }) {
    const desk = deskOf(player)
    const known = alive(player) && windowId === windows.current(player).id
    const accepted = known && (mode !== PICK || isAlike(desk, slot, items.fromWire(item)))
    // the client applies the click when it is accepted, so its slots must be sent after this
    player._client.write('transaction', { windowId, action, accepted })
    if (!accepted) return windows.resync(player)
    if (slot === OUTSIDE || (slot >= 0 && slot < desk.total)) MODES[mode](desk, slot, mouseButton, items)
    desk.refresh()
    if (mode !== 0) windows.resync(player)
  }

  // A client says what it takes the slot for; in vanilla it is shown the truth when it is wrong.
  // Counts are no matter: flying-squid tells each slot that a click changed, as vanilla does not,
  // and a client that clicks quickly is a count behind.
  function isAlike (desk, slot, believed) {
    const there = slot >= 0 && slot < desk.total ? desk.read(slot) : null
    return !believed || believed.type === there?.type
  }

  serv.on('newPlayer', player => takeOver(serv, player, 'window_click', packet => click(player, packet)))
}
