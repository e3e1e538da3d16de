'use strict'
// Run by test_checks_in_node.py: a bot that walks on while the search for its way still thinks,
// and to where a thing lay that moves on meanwhile.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { Thinking } = require(path.join(HOST, 'acting', 'thinking.cjs'))
const { walkTo } = require(path.join(HOST, 'acting', 'walking.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

const steps = (...names) => names.map(hash => ({ hash }))
const names = way => way.map(({ hash }) => hash).join('')

/** A pathfinder that finds these ways one after the other, and leaves out the first `skipped`. */
function pathfinder (ways, skipped = 0) {
  const thinking = new Thinking()
  const context = { compute: () => ({ context, path: ways.shift() }) }
  thinking.follow(context.compute())
  return () => {
    const result = context.compute()
    result.path.splice(0, skipped)
    thinking.follow(result)
    return names(result.path)
  }
}

test('a step not gone yet stays on the way, though another is nearer', () => {
  const next = pathfinder([steps('a', 'b'), steps('a', 'b', 'c'), steps('a', 'b', 'c', 'd')], 1)
  assert.strictEqual(next(), 'abc')
  assert.strictEqual(next(), 'abcd')
})

test('steps that were gone lie behind', () => {
  const first = steps('a', 'b', 'c')
  const next = pathfinder([first, steps('a', 'b', 'c', 'd'), steps('a', 'b', 'c', 'd', 'e')])
  first.splice(0, 2) // the pathfinder takes them off
  assert.strictEqual(next(), 'cd')
  assert.strictEqual(next(), 'cde')
})

test('after wrong steps the way is as the pathfinder leads back to it', () => {
  const first = steps('a', 'b', 'c')
  const next = pathfinder([first, steps('a', 'x', 'y')], 1)
  first.splice(0, 2)
  assert.strictEqual(next(), 'xy')
})

/** A bot in an open field, whose pathfinder only keeps its goal. */
function walker () {
  const pathfinder = { setMovements () {}, setGoal (goal) { this.goal = goal } }
  return Object.assign(new EventEmitter(), {
    version: '1.16.5',
    shunned: [],
    registry: load('prismarine-registry')('1.16.5'),
    entity: { position: new Vec3(0.5, 64, 0.5), onGround: true },
    world: { getColumnAt: () => ({ getBlockStateId: () => 0 }) },
    findBlocks: () => [],
    blockAt: () => null,
    pathfinder
  })
}

test('a way has one end, though what lies there flies on', async () => {
  const bot = walker()
  const thrown = new Vec3(3.5, 64, 0.5)
  const walk = walkTo(bot, thrown, 1, new AbortController().signal)
  const { goal } = bot.pathfinder
  thrown.set(9.5, 64, 0.5)
  assert.ok(goal.isEnd(new Vec3(3, 64, 0)))
  assert.ok(!goal.isEnd(new Vec3(9, 64, 0)))
  bot.emit('goal_reached')
  await walk
})

/** A block of the field; what a server sends comes as another one. */
const block = (name, type, x = 1) => ({ name, type, position: new Vec3(x, 64, 0) })

/** Dig on the way, and say what ends it: a block breaks, and then the server sends another. */
async function digging (bot, after, mayDig = true) {
  const walk = walkTo(bot, new Vec3(3.5, 64, 0.5), 1, new AbortController().signal, mayDig)
  const ended = walk.then(() => 'there', error => `${error.reason}: ${error.message}`)
  bot.pathfinder.movements = { canDig: mayDig }
  bot.emit('blockUpdate', block('grass', 2), block('air', 0))
  bot.emit('blockUpdate', block('air', 0, 7), block('air', 0, 7)) // as some send all that is around
  bot.emit('blockUpdate', block('air', 0, after.position.x), after)
  bot.emit('goal_reached')
  return await ended
}

test('who digs where the server puts the block back goes no further', async () => {
  assert.strictEqual(await digging(walker(), block('grass', 2)), 'blocked: the server put the grass back')
})

test('what else comes into the hole, or next to it, ends no way', async () => {
  assert.strictEqual(await digging(walker(), block('water', 9)), 'there')
  assert.strictEqual(await digging(walker(), block('grass', 2, 2)), 'there')
})

test('a block that flickers ends no way of one who does not dig', async () => {
  assert.strictEqual(await digging(walker(), block('grass', 2), false), 'there')
})
