'use strict'
// The container kept open, with what is in it; null when none is.
const { insideOf } = require('../acting/container.cjs')
const { itemsIn } = require('../acting/inventory.cjs')
const windows = require('../acting/windows.cjs')

module.exports = function openedContainer (bot) {
  const window = windows.kept(bot)
  if (!window) return null
  const items = itemsIn(window, insideOf(window)).map(({ name, count }) => [name, count])
  return { position: windows.positionOf(bot), items, slots: window.inventoryStart }
}
