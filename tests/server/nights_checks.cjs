'use strict'
// Run by test_checks_in_node.py: where monsters come, and where light keeps them away.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const nights = require(path.join(SERVER, 'nights.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { Vec3 } = load('vec3')

const AIR = { name: 'air', boundingBox: 'empty', shapes: [] }
const STONE = { name: 'stone', boundingBox: 'block', shapes: [[0, 0, 0, 1, 1, 1]] }
const WATER = { name: 'water', boundingBox: 'empty', shapes: [] }
const TORCH = { name: 'torch', boundingBox: 'empty', shapes: [] }

const EVERYWHERE = new Proxy({}, { get: () => 1 })

/** The places of those that come in some seconds over a plain of stone, one player in the middle. */
async function comers ({ time, blockAt = () => null, difficulty = 2, kinds = { zombie: {} }, seen = EVERYWHERE }) {
  const registry = { blocksArray: [{ name: 'torch', emitLight: 14 }, { name: 'stone', emitLight: 0 }] }
  const world = { getBlock: async at => blockAt(at) ?? (at.y < 64 ? STONE : AIR) }
  const player = { world, position: new Vec3(0, 64, 0), listed: true, health: 20 }
  const serv = Object.assign(new EventEmitter(), { registry, time, difficulty, players: [player], _worldChunksUsed: seen })
  const came = []
  let tick = 0
  const alive = new Set()
  const put = (name, position) => {
    came.push(Object.assign(position, { name, tick }))
    alive.add({ name, position, world })
  }
  nights(serv, { alive, kinds, put, hurt: () => {}, remove: () => {} })
  for (let i = 1; i <= 100; i++) {
    tick = i
    serv.emit('tick', 0.05, i * 20)
    await new Promise(resolve => setImmediate(resolve))
    for (let j = 0; j < 20; j++) await new Promise(resolve => setImmediate(resolve))
  }
  return came
}

test('they come at night, up to the cap, 24 blocks away at least', async () => {
  const came = await comers({ time: 18000 })
  assert.strictEqual(came.length, 19)
  assert.ok(came.every(({ x, y, z }) => y === 64 && Math.hypot(x, z) >= 24))
})

test('they come in groups of a kind, four at most', async () => {
  const came = await comers({ time: 18000, kinds: { zombie: {}, skeleton: {} } })
  const groups = [...Map.groupBy(came, ({ tick }) => tick).values()]
  assert.ok(groups.length < came.length)
  for (const group of groups) {
    assert.ok(group.length <= 4)
    assert.ok(group.every(one => one.name === group[0].name && one.distanceTo(group[0]) <= 5 * Math.SQRT2))
  }
})

test('none come by day under the sky, and none on peaceful', async () => {
  assert.deepStrictEqual(await comers({ time: 6000 }), [])
  assert.deepStrictEqual(await comers({ time: 18000, difficulty: 0 }), [])
})

test('they come only where a player has the land around, and read no block elsewhere', async () => {
  const seen = Object.fromEntries([-3, -2, -1, 0, 1, 2].flatMap(x => [-3, -2, -1, 0, 1, 2].map(z => [`${x},${z}`, 1])))
  const read = []
  const came = await comers({ time: 18000, seen, blockAt: at => { read.push(at) } })
  assert.ok(came.length > 0)
  for (const { x, z } of read) assert.ok(seen[`${x >> 4},${z >> 4}`], `${x} ${z}`)
})

test('who is left on land that no player has any more is gone, and others stay', async () => {
  const world = { getBlock: async () => AIR }
  const player = { world, position: new Vec3(0, 64, 0), listed: true, health: 20 }
  const [left, near] = [30, 8].map(x => ({ name: 'zombie', world, position: new Vec3(x, 64, 0) }))
  const facts = { registry: { blocksArray: [] }, time: 18000, difficulty: 2, players: [player], _worldChunksUsed: { '0,0': 1 } }
  const serv = Object.assign(new EventEmitter(), facts)
  const removed = []
  nights(serv, { alive: new Set([left, near]), kinds: { zombie: {} }, put () {}, hurt () {}, remove: one => removed.push(one) })
  serv.emit('tick', 0.05, 20)
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
  assert.deepStrictEqual(removed, [left])
})

// How far from the player each is, what chance gives, and who is gone.
for (const [what, chance, distances, gone] of [
  ['beyond 128 blocks all', 0.99, [127, 129, 400], [129, 400]],
  ['beyond 32 blocks one in forty a second', 0.024, [31, 33, 127], [33, 127]],
  ['beyond 32 blocks no more than that', 0.026, [31, 33, 127], []]
]) {
  test(`${what} are gone`, async t => {
    t.mock.method(Math, 'random', () => chance)
    const world = { getBlock: async () => AIR }
    const player = { world, position: new Vec3(0, 64, 0), listed: true, health: 20 }
    const monsters = distances.map(x => ({ name: 'zombie', world, position: new Vec3(x, 64, 0) }))
    const facts = { registry: { blocksArray: [] }, time: 18000, difficulty: 2, players: [player], _worldChunksUsed: EVERYWHERE }
    const serv = Object.assign(new EventEmitter(), facts)
    const removed = []
    nights(serv, { alive: new Set(monsters), kinds: { zombie: {} }, put () {}, hurt () {}, remove: one => removed.push(one.position.x) })
    serv.emit('tick', 0.05, 20)
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    assert.deepStrictEqual(removed, gone)
  })
}

test('they come by day under a wide roof', async () => {
  const came = await comers({ time: 6000, blockAt: ({ y }) => y === 70 ? STONE : null })
  assert.ok(came.length > 0)
  assert.ok(came.every(({ y }) => y === 64))
})

test('none come where torches stand every four blocks', async () => {
  const isTorch = ({ x, y, z }) => y === 64 && Math.floor(x) % 4 === 0 && Math.floor(z) % 4 === 0
  assert.deepStrictEqual(await comers({ time: 18000, blockAt: at => isTorch(at) ? TORCH : null }), [])
})

test('in water two deep those come that swim, one by one, and no others', async t => {
  t.mock.method(Math, 'random', dice()) // one in fifteen tries is let through
  const kinds = { zombie: {}, drowned: { swims: 0.7, isSoleComer: true } }
  const sea = bottom => ({ y }) => y >= bottom && y < 64 ? WATER : null
  const came = await comers({ time: 18000, kinds, blockAt: sea(62) })
  assert.ok(came.length > 0)
  assert.ok(came.every(({ name, y }) => name === 'drowned' && (y === 63 || y === 62)))
  assert.strictEqual(new Set(came.map(({ tick }) => tick)).size, came.length)
  assert.deepStrictEqual(await comers({ time: 18000, kinds, blockAt: sea(63) }), [])
})

test('by day they come in deep water alone', async t => {
  t.mock.method(Math, 'random', dice())
  const came = await comers({ time: 6000, kinds: { drowned: { swims: 0.7, isSoleComer: true } }, blockAt: ({ y }) => y >= 30 && y < 64 ? WATER : null })
  assert.ok(came.length > 0)
  assert.ok(came.every(({ y }) => y <= 64 - 8))
})

function dice () {
  let state = 1
  return () => (state = state * 16807 % 2147483647) / 2147483647
}
