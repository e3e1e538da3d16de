'use strict'
// Run by test_running_of_actions.py: the server closes a window in the middle of it, and says no
// more of what the bot carries.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const closing = require(path.join(HOST, 'closing.cjs'))
const deposit = require(path.join(HOST, 'actions', 'deposit.cjs'))
const windows = require(path.join(HOST, 'acting', 'windows.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

const STONE = 1

/** A bot before an open chest; `closeAt` is the click instead of which the server closes it. */
function botAtChest (version, closeAt = Infinity) {
  const { createWindow } = load('prismarine-windows')(version)
  const Item = load('prismarine-item')(version)
  const inventory = createWindow(0, 'minecraft:inventory', 'Inventory')
  const chest = createWindow(1, 'minecraft:generic_9x3', 'Chest', 63)
  const bot = Object.assign(new EventEmitter(), {
    inventory,
    currentWindow: chest,
    _client: new EventEmitter(),
    clicked: [],
    async clickWindow (slot, mouseButton, mode) {
      this.clicked.push(this.currentWindow?.id ?? 0)
      if (this.clicked.length === closeAt) return this._client.emit('close_window', { windowId: 1 })
      chest.acceptClick({ slot, mouseButton, mode, item: chest.slots[slot] })
    }
  })
  bot._client.on('close_window', () => { bot.currentWindow = null }) // as mineflayer does
  closing(bot)
  inventory.updateSlot(36, new Item(STONE, 64)) // the first of the hotbar, when the chest was opened
  chest.updateSlot(54, new Item(STONE, 64)) // the same
  windows.keep(bot, chest)
  return bot
}

const carried = ({ inventory }) => inventory.items().map(({ count, slot }) => [slot, count])
const signal = new AbortController().signal

for (const version of ['1.16.5', '1.21.4']) {
  test(`what was put in a chest is not carried when it is broken, in ${version}`, async () => {
    const bot = botAtChest(version)
    assert.deepStrictEqual(await deposit(bot, { item: 'stone', count: 14 }, { signal }), { moved: 14 })
    bot._client.emit('close_window', { windowId: 1 })
    assert.deepStrictEqual(carried(bot), [[36, 50]])
  })
}

test('nothing is clicked on in the inventory when the chest is gone', async () => {
  const bot = botAtChest('1.16.5', 5)
  await assert.rejects(deposit(bot, { item: 'stone', count: 14 }, { signal }), { reason: 'window_closed' })
  assert.deepStrictEqual(bot.clicked, [1, 1, 1, 1, 1])
})
