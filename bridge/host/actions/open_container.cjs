'use strict'
// Open a chest or its like and keep it open. Fails: too_far, wrong_block, blocked.
const { stationInReach } = require('../acting/reach.cjs')
const { isContainer } = require('../acting/blocks.cjs')
const { itemsIn, tally } = require('../acting/inventory.cjs')
const windows = require('../acting/windows.cjs')

module.exports = async function openContainer (bot, { position }, { signal }) {
  const block = stationInReach(bot, position, isContainer, 'a container')
  const window = await windows.open(bot, block, signal)
  windows.keep(bot, window, block)
  const range = [0, window.inventoryStart]
  const freeSlots = window.inventoryStart - itemsIn(window, range).length
  return { items: tally(window, range), free_slots: freeSlots }
}
