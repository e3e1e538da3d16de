'use strict'
// The furnace window, as far as the protocol tells: three slots and how long the fire lasts.
const { pour } = require('./clicking.cjs')
const { carriedRange, count } = require('./inventory.cjs')
const { CODES } = require('../sensing/numbers.cjs')

const INPUT = 0
const FUEL = 1
const OUTPUT = 2

/** Watch a furnace's properties; call `release` when done with it. */
function watch (bot, window) {
  const state = { fire: 0, cooked: 0 }
  const onProperty = ({ windowId, property, value }) => {
    if (windowId !== window.id) return
    if (property === CODES.furnace_fire_left) state.fire = value
    if (property === CODES.furnace_cooked) state.cooked = value
    window.emit('property')
  }
  bot._client.on('craft_progress_bar', onProperty)
  return { state, release: () => bot._client.removeListener('craft_progress_bar', onProperty) }
}

function put (bot, window, slot, name, wanted, signal) {
  const from = carriedRange(window)
  return pour(bot, window, { from, to: [slot, slot + 1], name, wanted, signal })
}

/** Take what lies in a slot; how much was taken. */
async function take (bot, window, slot, signal) {
  const item = window.slots[slot]
  if (!item) return 0
  const [to, before] = [carriedRange(window), count(bot, item.name)]
  await pour(bot, window, { from: [slot, slot + 1], to, name: item.name, wanted: item.count, signal })
  return count(bot, item.name) - before
}

module.exports = { FUEL, INPUT, OUTPUT, put, take, watch }
