'use strict'
// Run by test_checks_in_node.py: a bot that stands still is computed seldom, and moves all the
// same as one that is computed at each tick.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { resting } = require(path.join(HOST, 'resting.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Physics, PlayerState } = load('prismarine-physics')
const { Vec3 } = load('vec3')

const VERSION = '1.16.5'
const KEYS = ['forward', 'back', 'left', 'right', 'jump', 'sprint', 'sneak']
const registry = load('minecraft-data')(VERSION)
const Block = load('prismarine-block')(VERSION)

/** A bot on an endless floor of stone, below which is nothing. */
function standing (isResting) {
  const holes = new Set()
  const world = {
    getBlock (at) {
      const { x, y, z } = at.floored()
      const isStone = y === 0 && !holes.has(`${x} ${z}`)
      const block = Block.fromStateId(isStone ? registry.blocksByName.stone.defaultState : 0, 0)
      block.position = new Vec3(x, y, z)
      return block
    }
  }
  const bot = Object.assign(new EventEmitter(), {
    version: VERSION,
    registry,
    physics: Physics(registry, world),
    entity: {
      position: new Vec3(0.5, 1, 0.5),
      velocity: new Vec3(0, 0, 0),
      onGround: true,
      effects: {},
      attributes: {},
      yaw: 1,
      pitch: 0,
      ...Object.fromEntries(['isInWater', 'isInLava', 'isInWeb', 'isCollidedHorizontally',
        'isCollidedVertically', 'elytraFlying'].map(name => [name, false]))
    },
    inventory: { slots: [] },
    jumpTicks: 0,
    jumpQueued: false,
    fireworkRocketDuration: 0,
    held: Object.fromEntries(KEYS.map(key => [key, false])),
    computed: 0,
    takeBlock (x, z) {
      holes.add(`${x} ${z}`)
      bot.emit('blockUpdate', null, { position: new Vec3(x, 0, z) })
    },
    tick (times = 1) {
      for (let i = 0; i < times; i++) {
        bot.physics.simulatePlayer(new PlayerState(bot, bot.held), world).apply(bot)
      }
      return bot.entity.position
    }
  })
  const compute = bot.physics.simulatePlayer
  bot.physics.simulatePlayer = (...args) => { bot.computed++; return compute(...args) }
  if (isResting) resting(bot)
  return bot
}

test('a bot that stands still is computed about once a second', () => {
  const bot = standing(true)
  bot.tick(400)
  assert.ok(bot.computed <= 25, `${bot.computed} of 400`)
  assert.deepStrictEqual(bot.entity.position, new Vec3(0.5, 1, 0.5))
})

test('a bot without ground falls with the next tick', () => {
  const bot = standing(true)
  bot.tick(50)
  bot.takeBlock(0, 0)
  bot.tick(2)
  assert.ok(bot.entity.position.y < 1, `it is at ${bot.entity.position.y}`)
})

test('a bot that is knocked moves with the next tick', () => {
  const bot = standing(true)
  bot.tick(50)
  bot.entity.velocity = new Vec3(0.4, 0.3, 0)
  assert.ok(bot.tick().x > 0.5)
})

test('a held key moves a bot with the next tick', () => {
  const bot = standing(true)
  bot.tick(50)
  bot.held.forward = true
  const from = bot.entity.position.clone()
  assert.ok(bot.tick().distanceTo(from) > 0)
})

test('it is where a bot would be that is computed at each tick', () => {
  const bots = [standing(true), standing(false)]
  const random = numbers(7)
  for (let step = 0; step < 400; step++) {
    const what = random(5)
    const key = KEYS[random(KEYS.length)]
    const push = new Vec3(random(9) / 10 - 0.4, random(5) / 10, random(9) / 10 - 0.4)
    for (const bot of bots) {
      if (what === 0) bot.held[key] = !bot.held[key]
      if (what === 1) for (const one of KEYS) bot.held[one] = false
      if (what === 2) bot.entity.velocity = push.clone()
      if (what === 3 && step % 4 === 0) {
        const { x, z } = bot.entity.position.floored()
        bot.takeBlock(x + random.last % 3 - 1, z)
      }
      if (bot.entity.position.y < -20) bot.entity.position = new Vec3(step * 50, 1, 0.5)
    }
    const ticks = random(40)
    const [rested, computed] = bots.map(bot => bot.tick(ticks))
    assert.deepStrictEqual(rested, computed, `after step ${step}`)
  }
  const [rested, computed] = bots.map(bot => bot.computed)
  assert.ok(rested < computed, `${rested} of ${computed}`)
})

/** Numbers below a bound that look random and are the same in each run. */
function numbers (seed) {
  const next = bound => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    next.last = Math.floor(seed / 65536)
    return next.last % bound
  }
  return next
}
