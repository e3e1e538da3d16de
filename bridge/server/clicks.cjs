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
    if (slot === OUTSIDE || (slot >= 0 && slot < desk.total)) carryOut(desk, slot, mouseButton, mode)
    desk.refresh()
    if (mode !== PICK) windows.resync(player)
  }

  // A client works out a plain click itself, so it is not told the slots, as in vanilla: told late,
  // a client that clicks quickly would go back to a count that is gone.
  function carryOut (desk, slot, mouseButton, mode) {
    const work = () => MODES[mode](desk, slot, mouseButton, items)
    if (mode === PICK && !desk.givesOnly(slot)) windows.untold(desk.player, work)
    else work()
  }

  // A client says what it takes the slot for; in vanilla it is shown the truth when it is wrong.
  function isAlike (desk, slot, believed) {
    const there = slot >= 0 && slot < desk.total ? desk.read(slot) : null
    return believed?.type === there?.type && believed?.count === there?.count
  }

  serv.on('newPlayer', player => takeOver(serv, player, 'window_click', packet => click(player, packet)))
}
