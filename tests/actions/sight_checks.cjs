'use strict'
// Run by test_checks_in_node.py: what looks far waits for chunks on their way, and no longer.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { mock, test, beforeEach, afterEach } = require('node:test')

const sight = require(path.join(__dirname, '..', '..', 'bridge', 'host', 'sight.cjs'))

const SIDE = 16
const [NEAR, WIDE] = [3, 6] // chunks
const [SOON_MS, FIRST_MS, NEXT_MS, MOST_MS] = [100, 300, 200, 1500]
const far = { query: { kind: 'find_blocks', radius: 5 * SIDE } }

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  mock.method(performance, 'now', () => Date.now())
})
afterEach(() => {
  mock.restoreAll()
  mock.timers.reset()
})

/** A bot in the middle of some chunks that was told to see farther than these. */
function widened (players = {}) {
  const columns = new Set()
  const bot = Object.assign(new EventEmitter(), {
    username: 'Alice',
    entity: { position: { x: 8.5, y: 64, z: 8.5 } },
    players: { Alice: { entity: {} }, ...players },
    settings: { viewDistance: NEAR },
    setSettings (settings) { Object.assign(bot.settings, settings) },
    world: { getColumn: (x, z) => columns.has(`${x} ${z}`) },
    come (from, to) {
      for (let x = -to; x <= to; x++) {
        for (let z = -to; z <= to; z++) {
          if (Math.max(Math.abs(x), Math.abs(z)) >= from) columns.add(`${x} ${z}`)
        }
      }
      bot.emit('chunkColumnLoad')
    }
  })
  bot.come(0, NEAR)
  sight.see(bot, { chunks: WIDE })
  return bot
}

async function pass (ms) {
  mock.timers.tick(ms)
  await new Promise(resolve => setImmediate(resolve))
}

/** Whether it goes on waiting. */
async function waits (coming) {
  const still = Symbol('still')
  return await Promise.race([coming, new Promise(resolve => setImmediate(resolve, still))]) === still
}

test('what is near is looked at at once', () => {
  const bot = widened()
  assert.strictEqual(sight.ofQuery(bot, { query: { kind: 'find_blocks', radius: SIDE } }), null)
  assert.strictEqual(sight.ofQuery(bot, { query: { kind: 'whereabouts' } }), null)
  assert.strictEqual(sight.ofAction(bot, { kind: 'dig', position: [90, 64, 90] }), null)
  assert.strictEqual(sight.ofSnapshot(bot, { blocks_within: 0 }), null)
})

test('what is far waits until it has come, though more is on its way', async () => {
  const bot = widened()
  const coming = sight.ofQuery(bot, far)
  await pass(SOON_MS)
  bot.come(4, 4)
  await pass(SOON_MS)
  assert.ok(await waits(coming))
  bot.come(5, 5)
  assert.ok(!await waits(coming))
  assert.ok(sight.ofQuery(bot, { query: { kind: 'scan_blocks', radius: 6 * SIDE } }))
})

test('nothing waits for a server that sends nothing', async () => {
  const bot = widened()
  const coming = sight.ofQuery(bot, far)
  await pass(FIRST_MS - 1)
  assert.ok(await waits(coming))
  await pass(1)
  assert.ok(!await waits(coming))
  assert.strictEqual(sight.ofQuery(bot, far), null)
})

test('nothing waits long for a server that sends less than was asked for', async () => {
  const bot = widened()
  const coming = sight.ofQuery(bot, far)
  bot.come(4, 4)
  await pass(0)
  await pass(NEXT_MS)
  assert.ok(!await waits(coming))
  assert.strictEqual(sight.ofQuery(bot, far), null)
})

test('nothing waits for ever for a slow server', async () => {
  const bot = widened()
  const coming = sight.ofQuery(bot, far)
  for (let ms = 0; ms < MOST_MS; ms += SOON_MS) {
    assert.ok(await waits(coming))
    bot.emit('chunkColumnLoad')
    await pass(0)
    await pass(SOON_MS)
  }
  assert.ok(!await waits(coming))
})

test('a snapshot and a pursuit wait for players out of the narrow view', async () => {
  const bot = widened({ Steve: { entity: null } })
  const looks = [sight.ofSnapshot(bot, { blocks_within: 0 }), sight.ofAction(bot, { kind: 'follow', player: 'Steve' })]
  bot.come(4, 4)
  await pass(0)
  assert.deepStrictEqual(await Promise.all(looks.map(waits)), [true, true])
  bot.players.Steve.entity = {}
  bot.come(5, 5)
  await pass(0)
  assert.deepStrictEqual(await Promise.all(looks.map(waits)), [false, false])
})

test('a walk waits for the land it leads to', async () => {
  const bot = widened()
  assert.ok(sight.ofAction(bot, { kind: 'move_to', position: [80, 64, 8] }))
  assert.strictEqual(sight.ofAction(bot, { kind: 'move_to', position: [20, 64, 8] }), null)
})

test('who sees less far again waits for nothing', async () => {
  const bot = widened()
  const coming = sight.ofQuery(bot, far)
  sight.see(bot, { chunks: NEAR })
  assert.ok(!await waits(coming))
  assert.strictEqual(sight.ofQuery(bot, far), null)
})

test('where nothing was taken away nothing is waited for', () => {
  const bot = widened()
  sight.see(bot, { chunks: NEAR })
  bot.come(NEAR, WIDE)
  sight.see(bot, { chunks: WIDE })
  assert.strictEqual(sight.ofSnapshot(bot, { blocks_within: 5 * SIDE }), null)
})

test('only distances of the game are asked for', () => {
  const bot = widened()
  for (const chunks of [1, 33, 2.5, '6', null, undefined, NaN]) {
    assert.throws(() => sight.see(bot, { chunks }))
  }
  assert.strictEqual(bot.settings.viewDistance, WIDE)
})
