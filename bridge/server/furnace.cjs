'use strict'
// Furnaces at work: fuel burns down, items cook, and whoever looks sees both.

const fuel = require('../vanilla/furnace.cjs')
const smelting = require('./smelting.cjs')

const STEP_MS = 100
const INPUT = 0
const FUEL = 1
const OUTPUT = 2
const TICKS = 200 // an item's time as clients count it

module.exports = function furnaces (serv, items, windows, containers, { smeltMs }) {
  function work (furnace, ms) {
    let left = ms * smelting.speedOf(furnace.kind)
    const fire = furnace.fire
    while (left > 0) {
      const made = nextYield(furnace)
      if (fire.leftMs <= 0 && !(made && light(furnace))) break
      const step = Math.min(left, fire.leftMs, made ? smeltMs - fire.cookedMs : left)
      left -= step
      fire.leftMs -= step
      fire.cookedMs = made ? fire.cookedMs + step : 0
      if (fire.cookedMs >= smeltMs) finish(furnace, made)
    }
    // without fire what was cooked cools twice as fast
    if (fire.leftMs <= 0) fire.cookedMs = Math.max(0, fire.cookedMs - 2 * left)
  }

  /** The name of what is cooking, when there is something and room for its yield; or null. */
  function nextYield ({ kind, slots }) {
    const made = slots[INPUT] && smelting.yieldOf(kind, slots[INPUT].name)
    const there = slots[OUTPUT]
    if (!made) return null
    return !there || (there.name === made && there.count < there.stackSize) ? made : null
  }

  function light (furnace) {
    const piece = furnace.slots[FUEL]
    const count = piece ? fuel.itemsPerPiece(piece.name) : 0
    if (!count) return false
    furnace.fire.leftMs = furnace.fire.wholeMs = count * smeltMs
    lay(furnace, FUEL, items.portion(piece, piece.count - 1) || items.remains(piece))
    return true
  }

  function finish (furnace, made) {
    const { slots, fire } = furnace
    fire.cookedMs = 0
    lay(furnace, INPUT, items.portion(slots[INPUT], slots[INPUT].count - 1))
    lay(furnace, OUTPUT, items.named(made, (slots[OUTPUT]?.count ?? 0) + 1))
  }

  function lay (furnace, slot, item) {
    furnace.slots[slot] = item
    furnace.viewers.forEach(player => windows.showSlot(player, slot, item))
  }

  function show ({ fire }, player) {
    const ticks = ms => Math.round(ms / smeltMs * TICKS)
    const values = [ticks(fire.leftMs), ticks(fire.wholeMs), ticks(fire.cookedMs), TICKS]
    const windowId = windows.current(player).id
    values.forEach((value, property) => {
      player._client.write('craft_progress_bar', { windowId, property, value })
    })
  }

  let last = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    for (const furnace of containers.furnaces()) {
      const before = { ...furnace.fire }
      work(furnace, now - last)
      if (changed(before, furnace.fire)) furnace.viewers.forEach(player => show(furnace, player))
    }
    last = now
  }, STEP_MS)
  serv.on('close', () => clearInterval(timer))

  return { show }
}

function changed (before, fire) {
  return before.leftMs !== fire.leftMs || before.cookedMs !== fire.cookedMs
}
