'use strict'
// Run by test_running_of_actions.py: which natural blocks look as if somebody had built them.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { masonry, wallsAround } = require(path.join(HOST, 'acting', 'masonry.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

/** A bot in earth without end, in which these cells are open. */
function botAmong (...open) {
  const cells = new Set(open.map(String))
  const blockAt = at => ({ name: 'dirt', position: at, boundingBox: cells.has(String([at.x, at.y, at.z])) ? 'empty' : 'block' })
  const bot = Object.assign(new EventEmitter(), { blockAt })
  masonry(bot)
  const dig = at => {
    cells.add(String(at))
    bot.emit('diggingCompleted', { position: new Vec3(...at) })
  }
  return { bot, dig, isWall: at => wallsAround(bot)(blockAt(new Vec3(...at))) }
}

const SIDES = { 'a wall': [[-1, 64, 0], [1, 64, 0]], 'a roof': [[0, 63, 0], [0, 65, 0]] }

for (const [what, [one, other]] of Object.entries(SIDES)) {
  test(`earth between two rooms is ${what}`, () => {
    assert(botAmong(one, other).isWall([0, 64, 0]))
  })

  test(`earth that a bot left between what it dug is no part of ${what}`, () => {
    const { dig, isWall } = botAmong()
    dig(one)
    dig(other)
    assert(!isWall([0, 64, 0]))
  })

  test(`earth between a tunnel and the open ground is no part of ${what}`, () => {
    const { dig, isWall } = botAmong(one)
    dig(other)
    assert(!isWall([0, 64, 0]))
  })
}

test('what a bot dug in another world opens nothing here', () => {
  const [one, other] = SIDES['a wall']
  const { bot, dig, isWall } = botAmong()
  dig(one)
  dig(other)
  bot.emit('respawn')
  assert(isWall([0, 64, 0]))
})
