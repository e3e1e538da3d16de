'use strict'
// Run by test_running_of_deeds.py: deeds on a bot whose server answers slowly or never.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const running = require(path.join(HOST, 'running.cjs'))
const { nextEvent, pause } = require(path.join(HOST, 'waiting.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const Item = load('prismarine-item')('1.16.5')
const { Vec3 } = load('vec3')
const { createWindow } = load('prismarine-windows')('1.16.5')

const CLICK_MS = 400
const CANCELLED_WITHIN_MS = 250

/** A bot in front of a server that confirms each click after `CLICK_MS`. */
function slowBot () {
  const bot = new EventEmitter()
  const inventory = createWindow(0, 'minecraft:inventory', 'Inventory')
  inventory.updateSlot(36, new Item(1, 64))
  return Object.assign(bot, {
    username: 'Slow',
    isAlive: true,
    inventory,
    currentWindow: null,
    pathfinder: { setGoal () {} },
    entity: { onGround: false },
    stopDigging () {},
    clearControlStates () {},
    clicks: 0,
    async clickWindow (slot, mouseButton, mode) {
      this.clicks++
      await pause(CLICK_MS)
      inventory.acceptClick({ slot, mouseButton, mode, item: slot < 0 ? null : inventory.slots[slot] })
    }
  })
}

function hostOf () {
  const host = new EventEmitter()
  const finished = []
  host.emit = message => {
    if (message.t === 'finished') finished.push(`${message.action} ${message.outcome}`)
  }
  return { host, finished }
}

function begin (host, bot, id, action, deadline = 60) {
  running.begin(host, bot, { id, action, deadline_s: deadline, shunned: [] })
}

const TOSS = { kind: 'toss', item: 'stone', count: 20 }
const REST = { kind: 'wait', seconds: 0.01 }

test('a cancel does not wait for a slow server', async () => {
  const [bot, { host, finished }] = [slowBot(), hostOf()]
  begin(host, bot, 'a', TOSS)
  await pause(50)
  const since = performance.now()
  assert.strictEqual(await running.cancel(host, bot), 'a')
  assert.ok(performance.now() - since < CANCELLED_WITHIN_MS, `${performance.now() - since} ms`)
  assert.deepStrictEqual(finished, ['a cancelled'])
})

test('the next action begins only when the one before has put its things back', async () => {
  const [bot, { host, finished }] = [slowBot(), hostOf()]
  begin(host, bot, 'a', TOSS)
  await pause(50)
  begin(host, bot, 'b', { kind: 'wait', seconds: 0 })
  while (finished.length < 2) await pause(5)
  assert.deepStrictEqual(finished, ['a replaced', 'b done'])
  assert.strictEqual(bot.inventory.selectedItem, null)
  assert.strictEqual(bot.inventory.slots[36].count, 64)
})

test('what the server says of a block that it holds comes as a fact of its own', async () => {
  const [bot, { host }] = [slowBot(), hostOf()]
  const ended = new Promise(resolve => { host.emit = resolve })
  const bedrock = { name: 'bedrock', diggable: false, position: new Vec3(1, 0, 0) }
  Object.assign(bot, {
    blockAt: () => bedrock,
    game: { gameMode: 'survival' },
    entity: { position: new Vec3(0.5, 0, 0.5), eyeHeight: 1.62, height: 1.8, onGround: false },
    answers: { saidOfWork: () => 'You can\'t build here.' }
  })
  begin(host, bot, 'a', { kind: 'dig', position: [1, 0, 0] })
  const { reason, message, result } = await ended
  assert.deepStrictEqual([reason, result], ['blocked', { said: 'You can\'t build here.' }])
  assert.ok(message.endsWith('“You can\'t build here.”'), message)
})

test('every action of a burst ends once and in order', async () => {
  const [bot, { host, finished }] = [slowBot(), hostOf()]
  for (let i = 0; i < 50; i++) begin(host, bot, `d${i}`, REST)
  while (finished.length < 50) await pause(5)
  const expected = Array.from({ length: 50 }, (_, i) => `d${i} ${i < 49 ? 'replaced' : 'done'}`)
  assert.deepStrictEqual(finished, expected)
})

test('no listener of an action is left on the bot', async () => {
  const [bot, { host, finished }] = [slowBot(), hostOf()]
  begin(host, bot, 'first', REST)
  while (finished.length < 1) await pause(5)
  const before = bot.eventNames().map(name => [name, bot.listenerCount(name)])
  for (let i = 0; i < 5; i++) begin(host, bot, `d${i}`, REST, 0.001)
  while (finished.length < 6) await pause(5)
  assert.deepStrictEqual(bot.eventNames().map(name => [name, bot.listenerCount(name)]), before)
})

test('a bot that left ends its action as disconnected', async () => {
  const [bot, { host, finished }] = [slowBot(), hostOf()]
  begin(host, bot, 'a', { kind: 'wait', seconds: 9 })
  await running.leave(host, bot)
  assert.deepStrictEqual(finished, ['a disconnected'])
  assert.strictEqual(await running.cancel(host, bot), null)
})

test('an unknown kind is refused, be it a name every object has', () => {
  const { host } = hostOf()
  for (const kind of ['fly', 'toString', '__proto__']) {
    assert.throws(() => begin(host, slowBot(), 'a', { kind }), /unknown kind/)
  }
})

test('a wait leaves nothing behind, however it ends', async () => {
  const emitter = new EventEmitter()
  const controller = new AbortController()
  const { signal } = controller
  assert.strictEqual(await nextEvent(emitter, 'x', { signal, deadlineMs: 5 }), null)
  const seen = nextEvent(emitter, 'x', { signal, deadlineMs: 1000, accept: value => value === 2 })
  emitter.emit('x', 1)
  emitter.emit('x', 2)
  assert.deepStrictEqual(await seen, [2])
  const broken = nextEvent(emitter, 'x', { signal, deadlineMs: 1000, accept: () => { throw new Error('no') } })
  emitter.emit('x')
  await assert.rejects(broken, /no/)
  const aborted = nextEvent(emitter, 'x', { signal, deadlineMs: 1000 })
  controller.abort(new Error('enough'))
  await assert.rejects(aborted, /enough/)
  assert.strictEqual(emitter.listenerCount('x'), 0)
})
