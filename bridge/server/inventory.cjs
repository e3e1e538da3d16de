'use strict'
// A player's 46 slots: 0-4 crafting, 5-8 armour, 9-35 main, 36-44 hotbar, 45 off hand.

const MAIN = range(9, 35)
const HOTBAR = range(36, 44)
const FILL_ORDER = [...HOTBAR, ...MAIN] // where a picked-up item goes

module.exports = function inventory (items) {
  const watchers = []

  function set (player, slot, item) {
    player.inventory.updateSlot(slot, item || null) // flying-squid sends the slot from here
    watchers.forEach(watch => watch(player, slot, item || null))
  }

  /** Put a stack away: first onto its like, then into free slots. What did not fit, or null. */
  function add (player, item, order = FILL_ORDER) {
    const access = {
      read: slot => player.inventory.slots[slot],
      write: (slot, stack) => set(player, slot, stack)
    }
    return fill(access, item, order)
  }

  function fill ({ read, write }, item, order) {
    let left = item.count
    const put = (slot, there, room) => {
      const moved = Math.min(left, room)
      if (moved <= 0) return
      left -= moved
      write(slot, items.portion(item, there + moved))
    }
    for (const slot of order) {
      const stack = read(slot)
      if (items.same(stack, item)) put(slot, stack.count, item.stackSize - stack.count)
    }
    for (const slot of order) if (!read(slot)) put(slot, 0, item.stackSize)
    return items.portion(item, left)
  }

  const heldSlot = player => 36 + player.heldItemSlot
  return {
    set,
    add,
    fill,
    heldSlot,
    held: player => player.inventory.slots[heldSlot(player)] || null,
    all: player => player.inventory.slots.filter(Boolean),
    /** Tell `watch(player, slot, item)` of every change. */
    onChange: watch => watchers.push(watch)
  }
}

function range (from, to) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

Object.assign(module.exports, { MAIN, HOTBAR, FILL_ORDER })
