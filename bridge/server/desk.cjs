'use strict'
// One player before one window, as the click modes see it: slots by window index, and the cursor.

const { MAIN, HOTBAR } = require('./inventory.cjs')
const kinds = require('./kinds.cjs')

const ARMOUR = [/_helmet$|^carved_pumpkin$|_skull$|_head$/, /_chestplate$|^elytra$/, /_leggings$/, /_boots$/]
const OFF_HAND = 45
const ANY_FUEL_SLOT = 'bucket' // a fuel slot also takes the empty bucket lava leaves

module.exports = function desks ({ inventory, windows, dropped, crafting, fuel, smelting }) {
  return function desk (player) {
    const window = windows.current(player)
    const { kind, id } = window
    const isOwn = index => id === 0 || index >= kind.size
    const toOwn = index => (id === 0 ? index : index - kind.size + 9)
    const fromOwn = slot => (id === 0 ? slot : slot - 9 + kind.size)

    const self = {
      player,
      kind,
      total: id === 0 ? OFF_HAND + 1 : kind.size + 36,
      main: MAIN.map(fromOwn),
      hotbar: HOTBAR.map(fromOwn),
      offHand: OFF_HAND,
      get cursor () { return player.screen.cursor },
      set cursor (item) { player.screen.cursor = item },
      read: index => (isOwn(index) ? player.inventory.slots[toOwn(index)] : window.slots[index]) || null,
      write (index, item) {
        if (isOwn(index)) return inventory.set(player, toOwn(index), item)
        window.slots[index] = item || null
        window.container.viewers.forEach(viewer => windows.showSlot(viewer, index, item))
      },
      /** Whether this slot gives only: a crafted item or a furnace's yield. */
      givesOnly: index => index === kind.result || (index === kind.output && id !== 0),
      isCrafted: index => index === kind.result,
      isArmour: (index, item) => pieceFor(index)?.test(item.name) ?? false,
      smelts: item => smelting.yieldOf(kind, item.name) !== null,
      accepts,
      /** Put a stack into these slots; what did not fit, or null. */
      fill: (item, order) => inventory.fill(self, item, order.filter(index => accepts(index, item))),
      throwOut: item => item && dropped.toss(player, item),
      useIngredients: () => crafting.useIngredients(self),
      refresh: () => crafting.refresh(self)
    }

    function accepts (index, item) {
      if (self.givesOnly(index)) return false
      if (index === kind.fuel) return fuel.burns(item.name) || item.name === ANY_FUEL_SLOT
      return pieceFor(index)?.test(item.name) ?? true
    }

    function pieceFor (index) {
      return id === 0 ? ARMOUR[index - kinds.inventory.armour] : undefined
    }

    return self
  }
}
