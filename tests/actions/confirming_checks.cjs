'use strict'
// Run by test_checks_in_node.py: what counts as the server's word.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { confirming, heardOut, isPlaced } = require(path.join(HOST, 'confirming.cjs'))
const { counting } = require(path.join(HOST, 'counting.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { witnessing } = require(path.join(HOST, 'witnessing.cjs'))
const { Vec3 } = load('vec3')

/** A bot whose server does `onQuestion(client)` whenever it is asked for statistics. */
function botBefore (onQuestion) {
  const client = new EventEmitter()
  const entity = { position: new Vec3(0, 64, 0) }
  const bot = Object.assign(new EventEmitter(), { _client: client, entity, game: {}, questions: 0 })
  client.write = () => {
    bot.questions++
    setImmediate(onQuestion, client)
  }
  confirming(bot)
  counting(bot)
  witnessing(bot)
  return bot
}

const answer = client => client.emit('statistics', {})
const unconfirmed = message => ({ reason: 'unconfirmed', message })

test('a bot whose place is not told to the server is nowhere', async () => {
  const bot = botBefore(answer)
  bot.emit('move')
  bot.entity.position = new Vec3(5, 64, 0)
  await assert.rejects(isPlaced(bot), unconfirmed('the server is told nothing of where I am'))
})

test('a bot whose place was told long ago is nowhere', async () => {
  const bot = botBefore(answer)
  bot.emit('move')
  bot.told.at -= 5000
  await assert.rejects(isPlaced(bot), unconfirmed('the server is told nothing of where I am'))
})

test('a bot that was put a little elsewhere is where it was, and not one that was put back', async () => {
  for (const [to, isThere] of [[0.5, true], [3, false]]) {
    const bot = botBefore(client => {
      bot.entity.position.x += to
      bot.emit('forcedMove')
      answer(client)
    })
    bot.emit('move')
    assert.strictEqual(await isPlaced(bot), isThere)
  }
})

test('what is put back after the answer is no longer of the way', async () => {
  const bot = botBefore(answer)
  bot.emit('move')
  assert.strictEqual(await isPlaced(bot), true)
  bot.emit('forcedMove')
  bot.emit('move')
  assert.strictEqual(await isPlaced(bot), true)
})

test('a server that says nothing at all confirms nothing', async () => {
  const bot = botBefore(() => {})
  await assert.rejects(heardOut(bot), unconfirmed('the server says nothing'))
})

test('a server that answers no question is asked once, and has to say anything', async () => {
  const bot = botBefore(() => {})
  const talking = setInterval(() => bot._client.emit('packet', {}), 100)
  try {
    await heardOut(bot)
    await heardOut(bot)
    assert.strictEqual(bot.questions, 1)
  } finally {
    clearInterval(talking)
  }
})

test('the answer to an earlier question is not that to the latest', async () => {
  const bot = botBefore(() => {})
  const first = new AbortController()
  const given = assert.rejects(heardOut(bot, first.signal))
  first.abort(new Error('called off'))
  await given
  let isHeard = false
  const second = heardOut(bot).then(() => { isHeard = true })
  answer(bot._client)
  await new Promise(resolve => setImmediate(resolve))
  assert.strictEqual(isHeard, false)
  answer(bot._client)
  await second
})
