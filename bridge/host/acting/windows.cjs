'use strict'
// Windows of containers, crafting tables and furnaces: opened by an action, closed with it. Only
// the one `open_container` keeps stays open, and a window nobody waits for any more is closed.
const { ActionFailure } = require('../failure.cjs')
const { nextEvent } = require('../waiting.cjs')

const OPENING_MS = 3000

const desks = new WeakMap() // bot -> { expecting, kept, block }

function deskOf (bot) {
  if (!desks.has(bot)) {
    const desk = { expecting: false, kept: null, block: null }
    desks.set(bot, desk)
    bot.on('windowOpen', window => { if (!desk.expecting) close(bot, window) })
  }
  return desks.get(bot)
}

/** Use a block and wait for its window. Fails: blocked. */
async function open (bot, block, signal) {
  const desk = deskOf(bot)
  await bot.lookAt(block.position.offset(0.5, 0.5, 0.5), true)
  desk.expecting = true
  try {
    const opened = nextEvent(bot, 'windowOpen', { signal, deadlineMs: OPENING_MS })
    bot.activateBlock(block).catch(() => {})
    const [window] = await opened ?? refuse(block)
    return window
  } finally {
    desk.expecting = false
  }
}

function refuse (block) {
  throw new ActionFailure('blocked', `the ${block.name} does not open`)
}

/** Close a window if it is the open one. */
async function close (bot, window) {
  if (window && bot.currentWindow === window) await bot.closeWindow(window)
}

/** Leave a window open; `block` is what it belongs to. */
function keep (bot, window, block = null) {
  Object.assign(deskOf(bot), { kept: window, block })
}

/** Where the block of the kept window stands. */
function positionOf (bot) {
  return deskOf(bot).block.position.toArray()
}

/** The container kept open, or null when there is none or the server closed it. */
function kept (bot) {
  const { kept } = deskOf(bot)
  return kept && bot.currentWindow === kept ? kept : null
}

async function closeKept (bot) {
  const window = kept(bot)
  keep(bot, null)
  await close(bot, window)
}

/** Close what an action left open, the kept container excepted. */
async function closeOthers (bot) {
  if (!kept(bot)) await close(bot, bot.currentWindow)
}

function forget (bot) {
  desks.delete(bot)
}

module.exports = { close, closeKept, closeOthers, forget, keep, kept, open, positionOf }
