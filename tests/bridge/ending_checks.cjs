'use strict'
// Run by test_checks_in_node.py: the server's reason reaches a life however closing and reading race.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')
const v8 = require('node:v8')
const vm = require('node:vm')
const { Worker } = require('node:worker_threads')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { Bots } = require(path.join(HOST, 'bots.cjs'))
const { Life } = require(path.join(HOST, 'life.cjs'))

const VERSION = '1.16.5'
const REASON = 'The door is shut'
const KICKED = { ending: 'kicked', text: REASON, key: '' }
/** A server in a thread of its own: it refuses whoever comes, and closes as `how` says. */
async function door (how) {
  const closed = new Int32Array(new SharedArrayBuffer(4)) // 1 once it has closed
  const worker = new Worker(path.join(__dirname, 'ending_door.cjs'), {
    workerData: { how, closed, reason: REASON, version: VERSION }
  })
  const port = await new Promise(resolve => worker.once('message', resolve))
  return { port, worker, hasClosed: () => Atomics.wait(closed, 0, 0, 5000) !== 'timed-out' }
}

function join (port) {
  const args = { host: '127.0.0.1', port, version: VERSION, timeout_s: 10, on_join: [] }
  return new Life('Alice', args, { emit () {}, async onLeave () {}, lines: [] })
}

async function endOf (life) {
  const { data: { ending, text, key } } = await life.joined.then(assert.fail, error => error)
  return { ending, text, key }
}

test('a refusal that comes before mineflayer has loaded is heard', async t => {
  const { port, worker } = await door('end')
  t.after(() => worker.terminate())
  const { setTimeout: later } = globalThis
  globalThis.setTimeout = (work, ms, ...args) => later(work, ms === 0 ? 200 : ms, ...args)
  t.after(() => { globalThis.setTimeout = later })
  assert.deepStrictEqual(await endOf(join(port)), KICKED)
})

test('a reason counts when the connection is reset behind it', async t => {
  const { port, worker } = await door('reset')
  t.after(() => worker.terminate())
  assert.deepStrictEqual(await endOf(join(port)), KICKED)
})

test('a reason is read though a write fails before', async t => {
  const { port, worker, hasClosed } = await door('reset')
  t.after(() => worker.terminate())
  const life = join(port)
  while (!life.bot?._client.socket) await new Promise(setImmediate)
  const { _client: client } = life.bot
  client.once('connect', () => setImmediate(() => {
    assert.ok(hasClosed()) // this thread waits: it reads nothing meanwhile
    client.writeRaw(Buffer.from([0]))
  }))
  assert.deepStrictEqual(await endOf(life), KICKED)
})

test('a connection that breaks without a word is told as the error it is', async t => {
  const { port, worker } = await door('silent reset')
  t.after(() => worker.terminate())
  const { ending, text } = await endOf(join(port))
  assert.deepStrictEqual([ending, text], ['error', 'ECONNRESET'])
})

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')

/** Whether nothing holds it within five seconds; shorter than any timer of minecraft-protocol. */
async function isForgotten (held) {
  const until = Date.now() + 5000
  while (held.deref() && Date.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 50))
    collect()
  }
  return !held.deref()
}

for (const how of ['end', 'silent reset']) {
  test(`a bot is forgotten, with its world, once its connection is lost by ${how}`, async t => {
    const { port, worker } = await door(how)
    t.after(() => worker.terminate())
    const bot = await (async () => {
      const life = join(port)
      await endOf(life)
      return new WeakRef(life.bot)
    })()
    assert.ok(await isForgotten(bot))
  })
}

test('a bot is forgotten, with its world, once it has left', async t => {
  const { port, worker } = await door('never')
  t.after(() => worker.terminate())
  const bot = await (async () => {
    const life = join(port)
    life.joined.catch(() => {})
    while (!life.bot?._client.socket) await new Promise(setImmediate)
    const { _client: client } = life.bot
    await new Promise(resolve => client.once('connect', resolve))
    await life.leave()
    return new WeakRef(life.bot)
  })()
  assert.ok(await isForgotten(bot))
})

test('what is left of worlds is collected, once, when no bot is in one any more', async t => {
  let collected = 0
  globalThis.gc = () => { collected++ }
  t.after(() => { delete globalThis.gc })
  t.mock.method(Life.prototype, 'open', async () => {}) // nobody connects
  const bots = new Bots({ emit () {}, async onLeave () {}, lines: [] })
  const come = name => bots.spawn(name, { timeout_s: 10, on_join: [] })
  const comeIn = name => {
    const joined = come(name)
    bots.lives.get(name).spawned({ version: VERSION, emit () {}, entity: { position: { x: 0, y: 64, z: 0 } } })
    return joined
  }
  const lose = name => bots.lives.get(name).ended()
  const soon = () => new Promise(resolve => setTimeout(resolve, 600))

  await Promise.all([comeIn('Alice'), comeIn('Bob')])
  lose('Alice')
  await soon()
  assert.strictEqual(collected, 0) // Bob is still there
  lose('Bob')
  await soon()
  assert.strictEqual(collected, 1)
  const tried = come('Bob')
  lose('Bob')
  await assert.rejects(tried)
  await soon()
  assert.strictEqual(collected, 1) // it was in no world
  await comeIn('Bob')
  lose('Bob')
  while (bots.lives.size) await new Promise(setImmediate)
  await comeIn('Bob')
  await soon()
  assert.strictEqual(collected, 1) // it is back
})
