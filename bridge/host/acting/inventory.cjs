'use strict'
// What a bot carries, read from the open window when there is one: only that copy is kept true.
const { ActionFailure } = require('../failure.cjs')

/** The window clicks go to. */
function openWindow (bot) {
  return bot.currentWindow ?? bot.inventory
}

/** Slot range of what the bot carries, in a window. */
function carriedRange (window) {
  return [window.inventoryStart, window.inventoryEnd]
}

function itemsIn (window, [start, end]) {
  return window.slots.slice(start, end).filter(Boolean)
}

function stacks (bot, name) {
  const window = openWindow(bot)
  return itemsIn(window, carriedRange(window)).filter(item => item.name === name)
}

function sum (items) {
  return items.reduce((total, item) => total + item.count, 0)
}

function count (bot, name) {
  return sum(stacks(bot, name))
}

/** {name: count} over a slot range. */
function tally (window, range) {
  const counts = {}
  for (const { name, count } of itemsIn(window, range)) counts[name] = (counts[name] ?? 0) + count
  return counts
}

/** How many of an item still fit into a slot range. */
function room (window, [start, end], item) {
  const max = item.stackSize
  return window.slots.slice(start, end).reduce((total, there) => {
    if (!there) return total + max
    return total + (stacksWith(there, item) ? Math.max(0, max - there.count) : 0)
  }, 0)
}

function stacksWith (a, b) {
  return a.type === b.type && a.metadata === b.metadata &&
    JSON.stringify(a.nbt ?? null) === JSON.stringify(b.nbt ?? null)
}

/** Whether a slot holds something else, or less, or more worn, than before. */
function differs (before, after) {
  const facts = item => item && [item.type, item.count, item.metadata, item.nbt, item.durabilityUsed]
  return JSON.stringify(facts(before) ?? null) !== JSON.stringify(facts(after) ?? null)
}

/** How many to move: `wanted`, or all there is for -1. Fails: missing_item. */
function amount (wanted, available, name) {
  if (wanted !== -1 && !(Number.isInteger(wanted) && wanted > 0)) {
    throw new RangeError(`a count is 1 or more, or -1 for all, not ${wanted}`)
  }
  if (available === 0 || available < wanted) {
    throw new ActionFailure('missing_item', `${available} ${name} there, ${Math.max(wanted, 1)} needed`)
  }
  return wanted === -1 ? available : wanted
}

module.exports = {
  amount, carriedRange, count, differs, itemsIn, openWindow, room, stacks, stacksWith, sum, tally
}
