'use strict'
// Lays ingredients into a crafting grid and takes what the server makes of them. Not craft():
// it cannot be called off, trusts itself instead of the server for the result, and throws what
// it holds on the ground when the inventory is full.
const { until } = require('../waiting.cjs')
const { LEFT, RIGHT, click, emptyCursor, landing } = require('./clicking.cjs')
const { carriedRange, itemsIn, openWindow } = require('./inventory.cjs')
const { isIngredient } = require('./recipes.cjs')

const RESULT = 0
const RESULT_MS = 1000

/** Craft once as scheduled; whether the server made the item. Nothing stays in the grid
 *  or on the cursor, aborted or not. */
async function craftOnce (bot, window, { item, layout, placing }, signal) {
  try {
    for (const [cell, ingredient] of placing) await lay(bot, window, cell, ingredient, signal)
    await emptyCursor(bot, window)
    if (!await resultShown(window, item, signal)) return false
    await click(bot, window, RESULT, LEFT, signal)
    useUp(bot, window, placing, layout.leavings)
    return true
  } finally {
    await tidyUp(bot, window)
  }
}

/** Put back what lies in the grid and on the cursor. */
async function tidyUp (bot, window) {
  await emptyCursor(bot, window)
  await clearGrid(bot, window)
}

async function lay (bot, window, cell, ingredient, signal) {
  const held = window.selectedItem
  if (!held || !isIngredient(held, ingredient)) {
    await emptyCursor(bot, window)
    const stack = itemsIn(window, carriedRange(window)).find(item => isIngredient(item, ingredient))
    await click(bot, window, stack.slot, LEFT, signal)
  }
  await click(bot, window, cell, RIGHT, signal)
}

async function resultShown (window, item, signal) {
  const shown = () => window.slots[RESULT]?.name === item
  return await until(shown, { on: [[window, 'updateSlot']], signal, deadlineMs: RESULT_MS })
}

// A vanilla server leaves it to the client to know that a craft used up the grid.
function useUp (bot, window, placing, leavings) {
  const Item = require('../packages.cjs').load('prismarine-item')(bot.registry)
  for (const [cell] of placing) {
    const left = leavings[cell]
    window.updateSlot(cell, left ? new Item(left.id, 1, left.metadata) : null)
  }
  window.updateSlot(RESULT, null)
}

async function clearGrid (bot, window) {
  if (openWindow(bot) !== window) return // whoever closed it has given back what lay there
  for (let cell = 1; cell < gridEnd(window); cell++) {
    if (!window.slots[cell] || landing(window, carriedRange(window), window.slots[cell]) === null) continue
    await click(bot, window, cell, LEFT)
    await emptyCursor(bot, window)
  }
}

function gridEnd (window) {
  return window.type === 'minecraft:inventory' ? 5 : 10
}

module.exports = { craftOnce, tidyUp }
