'use strict'
// Run by test_checks_in_node.py: who is a witness, and of what.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { afterEach, test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { counting } = require(path.join(HOST, 'counting.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { watchBreak, whereElse, witnessing } = require(path.join(HOST, 'witnessing.cjs'))
const { Vec3 } = load('vec3')

const HOME = new Vec3(8, 64, 8)
const STONE = { name: 'stone', type: 1, position: new Vec3(9, 63, 8) }
const AIR = { name: 'air', type: 0, position: STONE.position }
const bots = []

/** A bot that sees the others at these places, and `block` wherever it looks. */
function botThat ({ name = 'Bob', sees = {}, block = AIR, port = 25565, isPaused = false, dimension = 'overworld' }) {
  const client = Object.assign(new EventEmitter(), { socket: { remoteAddress: '::1', remotePort: port, isPaused: () => isPaused } })
  const players = Object.fromEntries(Object.entries(sees).map(([who, position]) => [who, { entity: { position } }]))
  const bot = Object.assign(new EventEmitter(), {
    _client: client, username: name, players, game: { dimension }, entity: { position: HOME.clone() }, blockAt: () => block
  })
  bot._updateBlockState = (position, state) => bot.emit('blockUpdate', STONE, { ...AIR, position })
  counting(bot)
  witnessing(bot)
  bots.push(bot)
  return bot
}

const alice = () => botThat({ name: 'Alice' })

/** It walks into the middle of these chunks, and the server tells each. */
function walksTo (bot, ...chunks) {
  for (const chunkX of chunks) {
    bot.entity.position = new Vec3(16 * chunkX + 8, 64, 8)
    bot._client.emit('update_view_position', { chunkX, chunkZ: 0 })
  }
}

const away = { Alice: HOME.offset(3, 0, 0) }

afterEach(() => bots.splice(0).forEach(bot => bot.emit('end')))

test('who is seen elsewhere is elsewhere, as long as nobody sees it where it is', async () => {
  const bot = alice()
  assert.strictEqual(await whereElse(bot), null)
  botThat({ sees: away })
  const { by, at } = await whereElse(bot)
  assert.deepStrictEqual([by, at], ['Bob', away.Alice])
  botThat({ name: 'Carl', sees: { Alice: HOME.offset(0.2, 0, 0) } })
  assert.strictEqual(await whereElse(bot), null)
})

test('whoever is on another server, in another dimension, far off, deaf or gone is no witness', async () => {
  const bot = alice()
  botThat({ sees: away }).entity.position.x += 60
  for (const where of [{ port: 25566 }, { dimension: 'the_nether' }, { isPaused: true }]) {
    botThat({ sees: away, ...where })
    assert.strictEqual(await whereElse(bot), null)
  }
  botThat({ sees: away }).emit('end')
  assert.strictEqual(await whereElse(bot), null)
})

test('what is seen a moment later counts', async () => {
  const bot = alice()
  const bob = botThat({ sees: away })
  const found = whereElse(bot)
  bob.players.Alice.entity.position = HOME
  bot.emit('physicsTick')
  assert.strictEqual(await found, null)
})

test('chunks speak against a bot only where they followed its steps before', async () => {
  const bot = alice()
  const tell = chunkX => bot._client.emit('update_view_position', { chunkX, chunkZ: 0 })
  const steps = x => { bot.entity.position = new Vec3(x, 64, 8) }
  tell(0)
  for (const chunkX of [3, 6, 9]) {
    steps(16 * chunkX + 8)
    bot._client.emit('position', {})
    tell(chunkX)
  }
  steps(8)
  assert.strictEqual(await whereElse(bot), null) // it tells when it puts a bot somewhere: no more is known
  walksTo(bot, 8, 7)
  assert.strictEqual(await whereElse(bot), null)
  walksTo(bot, 6)
  steps(8)
  assert.deepStrictEqual(await whereElse(bot), { chunk: { x: 96, z: 0 } })
  steps(79.5) // the next chunk, which a server may have forgotten to tell
  assert.strictEqual(await whereElse(bot), null)
})

test('a server that forgot one chunk may forget others', async () => {
  const bot = alice()
  walksTo(bot, 0, 1, 2, 4, 5, 6)
  bot.entity.position = HOME
  assert.strictEqual(await whereElse(bot), null)
})

test('a server that was busy tells the chunk later, and after a death has to be known anew', async () => {
  const bot = alice()
  walksTo(bot, 0, 1, 0)
  bot.entity.position = new Vec3(40, 64, 8)
  const found = whereElse(bot)
  setTimeout(() => {
    bot._client.emit('update_view_position', { chunkX: 2, chunkZ: 0 })
    bot.emit('physicsTick')
  }, 1500)
  assert.strictEqual(await found, null)
  bot.emit('respawn')
  bot._client.emit('update_view_position', { chunkX: 5, chunkZ: 0 })
  assert.strictEqual(await whereElse(bot), null)
})

test('a chunk that is told before a bot is put there shows nothing of its steps', async () => {
  const bot = alice()
  for (const chunkX of [0, 3, 6, 9]) {
    bot._client.emit('update_view_position', { chunkX, chunkZ: 0 })
    bot._client.emit('position', {})
  }
  assert.strictEqual(await whereElse(bot), null)
})

test('a break that only the bot believes in is none where the server showed those before', async () => {
  const bot = alice()
  const breaks = async isShown => {
    const watch = watchBreak(bot, STONE)
    bot._updateBlockState(STONE.position, 0)
    if (isShown) bot.emit('blockUpdate', AIR, AIR)
    try { return await watch.isGone() } finally { watch.release() }
  }
  assert.strictEqual(await breaks(false), true) // nothing is known of this server
  assert.strictEqual(await breaks(true), true)
  assert.strictEqual(await breaks(true), true)
  assert.strictEqual(await breaks(false), false)
  assert.strictEqual(bot.listenerCount('blockShown'), 0)
})

test('a block that another bot sees stand is not gone, unless the server shows so', async () => {
  const bot = alice()
  botThat({ block: STONE })
  const watch = watchBreak(bot, STONE)
  assert.strictEqual(await watch.isGone(), false)
  bot.emit('blockUpdate', STONE, AIR)
  assert.strictEqual(await watch.isGone(), true)
})
