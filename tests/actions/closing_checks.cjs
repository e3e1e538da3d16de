'use strict'
// Run by test_checks_in_node.py: the server closes a window in the middle of it, and says no
// more of what the bot carries.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const closing = require(path.join(HOST, 'closing.cjs'))
const { confirming } = require(path.join(HOST, 'confirming.cjs'))
const craft = require(path.join(HOST, 'actions', 'craft.cjs'))
const deposit = require(path.join(HOST, 'actions', 'deposit.cjs'))
const windows = require(path.join(HOST, 'acting', 'windows.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

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
    supportFeature: () => true, // each click is answered
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

test('what the server takes back out of a chest was not put in', async () => {
  const bot = botAtChest('1.21.4')
  const before = [...bot.currentWindow.slots]
  bot.supportFeature = () => false // no click is answered
  bot._client.write = () => setImmediate(() => {
    before.forEach((item, slot) => bot.currentWindow.updateSlot(slot, item && Object.assign(Object.create(item), { count: 64 })))
    bot._client.emit('statistics', {})
  })
  confirming(bot)
  await assert.rejects(deposit(bot, { item: 'stone', count: 14 }, { signal }), { reason: 'unconfirmed', result: { moved: 0 } })
  assert.deepStrictEqual(carried(bot), [[36, 64]])
})

test('nothing is clicked on in the inventory when the chest is gone', async () => {
  const bot = botAtChest('1.16.5', 5)
  await assert.rejects(deposit(bot, { item: 'stone', count: 14 }, { signal }), { reason: 'window_closed' })
  assert.deepStrictEqual(bot.clicked, [1, 1, 1, 1, 1])
})

/** A bot beside a table that is broken as soon as something made there was taken. */
function botAtTable (version) {
  const registry = load('prismarine-registry')(version)
  const Item = load('prismarine-item')(registry)
  const { createWindow } = load('prismarine-windows')(registry)
  const table = createWindow(1, 'minecraft:crafting', 'Crafting')
  const stack = (name, count) => new Item(registry.itemsByName[name].id, count)
  table.updateSlot(37, stack('cobblestone', 8))
  table.updateSlot(38, stack('stick', 8))
  const bot = Object.assign(new EventEmitter(), {
    registry,
    inventory: createWindow(0, 'minecraft:inventory', 'Inventory'),
    currentWindow: null,
    entity: { position: new Vec3(0.5, 64, 0.5) },
    blockAt: position => ({ name: 'crafting_table', position }),
    recipesAll: id => load('prismarine-recipe')(registry).Recipe.find(id, null),
    async lookAt () {},
    async activateBlock () {
      bot.currentWindow = table
      bot.emit('windowOpen', table)
    },
    async clickWindow (slot, mouseButton, mode) {
      table.acceptClick({ slot, mouseButton, mode, item: table.slots[slot] })
      if (slot === 0) bot.currentWindow = null
      else if ([1, 2, 3, 5, 8].every(cell => table.slots[cell])) table.updateSlot(0, stack('stone_pickaxe', 1))
    }
  })
  return bot
}

test('what was just made is not missed while the server gives it back', async () => {
  const order = { item: 'stone_pickaxe', count: 1, table: [1, 64, 0] }
  const making = craft(botAtTable('1.16.5'), order, { signal, progress () {} })
  await assert.rejects(making, { reason: 'window_closed' })
})
