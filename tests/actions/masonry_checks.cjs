'use strict'
// Run by test_checks_in_node.py: which natural blocks look as if somebody had built them.
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
  const bot = Object.assign(new EventEmitter(), { blockAt, dig: async ({ position }) => cells.add(String([position.x, position.y, position.z])) })
  masonry(bot)
  const dig = at => bot.dig({ position: new Vec3(...at) })
  return { bot, dig, isWall: at => wallsAround(bot)(blockAt(new Vec3(...at))) }
}

const SIDES = { 'a wall': [[-1, 64, 0], [1, 64, 0]], 'a roof': [[0, 63, 0], [0, 65, 0]] }

for (const [what, [one, other]] of Object.entries(SIDES)) {
  test(`earth between two rooms is ${what}`, () => {
    assert(botAmong(one, other).isWall([0, 64, 0]))
  })

  test(`earth that a bot left between what it dug is no part of ${what}`, async () => {
    const { dig, isWall } = botAmong()
    await dig(one)
    await dig(other)
    assert(!isWall([0, 64, 0]))
  })

  test(`earth between a tunnel and the open ground is no part of ${what}`, async () => {
    const { dig, isWall } = botAmong(one)
    await dig(other)
    assert(!isWall([0, 64, 0]))
  })
}

test('what a bot dug in another world opens nothing here', async () => {
  const [one, other] = SIDES['a wall']
  const { bot, dig, isWall } = botAmong()
  await dig(one)
  await dig(other)
  bot.emit('respawn')
  assert(isWall([0, 64, 0]))
})

test('what a bot dug before a death or the end of a walk, and after it, is remembered', async () => {
  const [one, other] = SIDES['a wall']
  const { bot, dig, isWall } = botAmong()
  await dig(one)
  bot.removeAllListeners('diggingCompleted') // so do mineflayer at a death and the pathfinder
  await dig(other)
  assert(!isWall([0, 64, 0]))
})
