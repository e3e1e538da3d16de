'use strict'
// Run by test_checks_in_node.py: what a server's statistics say of a bot's steps. The accounts are
// in the shapes and figures of a Cuberite that was asked while a player walked.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { mock, test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { counting } = require(path.join(HOST, 'counting.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

const NAMED = ticks => [['stat.timeSinceDeath', ticks], ['stat.playOneMinute', ticks]].map(([name, value]) => ({ name, value }))
const NUMBERED = ticks => [2, 1].map(statisticId => ({ categoryId: 8, statisticId, value: ticks }))
const LISTS = {
  'up to 1.12': [NAMED, value => ({ name: 'stat.walkOneCm', value }), value => ({ name: 'stat.swimOneCm', value })],
  'from 1.13 on': [NUMBERED, value => ({ categoryId: 8, statisticId: 5, value }), value => ({ categoryId: 8, statisticId: 8, value })]
}

/** A bot on a server whose clock is ours: `walk(blocks, seconds)`, then `tell(…entries)`. */
function start (clocks) {
  let ms = 1000
  mock.method(performance, 'now', () => ms)
  const bot = Object.assign(new EventEmitter(), { _client: new EventEmitter(), entity: { position: new Vec3(0, 64, 0) } })
  counting(bot)
  bot.emit('move')
  const walk = (blocks, seconds) => {
    ms += 1000 * seconds
    bot.entity.position = bot.entity.position.offset(blocks, 0, 0)
    bot.emit('move')
  }
  const tell = (...entries) => bot._client.emit('statistics', { entries: [...clocks(Math.round(ms / 50)), ...entries] })
  return { bot, walk, tell, isLeftOut: () => bot.walked.uncounted > 0 }
}

for (const [versions, [clocks, walked, swum]] of Object.entries(LISTS)) {
  test(`${versions}: a server that counted steps and counts no more takes none`, () => {
    const { bot, walk, tell, isLeftOut } = start(clocks)
    tell(walked(1060))
    walk(9, 2)
    tell(walked(1943))
    assert(!isLeftOut())
    walk(5, 60)
    tell(walked(1943))
    assert.strictEqual(bot.walked.uncounted, 5)
    walk(4, 2)
    tell(walked(2340))
    assert(!isLeftOut())
  })

  test(`${versions}: a way that grows as slowly as a clock is a way all the same`, () => {
    const { walk, tell, isLeftOut } = start(clocks)
    tell(walked(0))
    walk(9, 2)
    tell(walked(900))
    walk(3, 15)
    tell(walked(1200))
    assert(!isLeftOut())
  })

  test(`${versions}: another kind of way counts as well`, () => {
    const { walk, tell, isLeftOut } = start(clocks)
    tell(walked(0))
    walk(9, 2)
    tell(walked(900))
    walk(5, 3)
    tell(walked(900), swum(480))
    assert(!isLeftOut())
  })

  test(`${versions}: a server that counts no steps, or was never seen to, says nothing of them`, () => {
    const { walk, tell, isLeftOut } = start(clocks)
    tell(walked(0))
    walk(9, 2)
    tell(walked(0))
    walk(9, 2)
    tell(walked(0))
    assert(!isLeftOut())
  })
}

const [clocks, walked] = LISTS['up to 1.12']

test('a server that tells once in 15 s is judged by what it tells then', () => {
  const { bot, walk, tell } = start(clocks)
  tell()
  walk(9, 2)
  bot._client.emit('statistics', { entries: [] })
  walk(9, 14)
  tell(walked(1800))
  walk(4, 2)
  bot._client.emit('statistics', { entries: [] })
  assert.strictEqual(bot.walked.uncounted, 0)
  walk(4, 14)
  tell()
  assert.strictEqual(bot.walked.uncounted, 8)
})

test('what a server put back, what a vehicle went and a step or two are no way', () => {
  const { bot, walk, tell, isLeftOut } = start(clocks)
  tell()
  walk(9, 2)
  tell(walked(900))
  walk(9, 2)
  bot.emit('forcedMove')
  tell()
  bot.vehicle = {}
  walk(9, 2)
  tell()
  bot.vehicle = null
  walk(1, 2)
  tell()
  assert(!isLeftOut())
})
