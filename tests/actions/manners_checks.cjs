'use strict'
// Run by test_checks_in_node.py: bots of a version share the tables of what they walk on.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { diggingManners, walkingManners } = require(path.join(HOST, 'acting', 'manners.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

/** One that stands where no chunk is loaded. */
const bot = version => ({
  version,
  registry: load('prismarine-registry')(version),
  entity: { position: new Vec3(0, 64, 0) },
  findBlocks: () => [],
  blockAt: () => null
})

const tablesOf = movements => Object.values(movements).filter(table => table instanceof Set)

function sharesTables (one, other) {
  const others = tablesOf(other)
  assert.ok(others.length > 0)
  return tablesOf(one).every((table, at) => table === others[at])
}

test('bots of a version share all tables', () => {
  const [alice, bob] = [bot('1.16.5'), bot('1.16.5')]
  assert.ok(sharesTables(walkingManners(alice), walkingManners(bob)))
  assert.ok(sharesTables(diggingManners(alice), diggingManners(bob)))
})

test('bots of two versions share none', () => {
  const [alice, bob] = [bot('1.16.5'), bot('1.20.4')].map(walkingManners)
  assert.notStrictEqual(alice.emptyBlocks, bob.emptyBlocks)
})

test('what a bot does not dig through, it may walk through', () => {
  const alice = bot('1.16.5')
  const { id } = alice.registry.blocksByName.oak_planks
  assert.ok(diggingManners(alice).blocksCantBreak.has(id))
  assert.ok(!walkingManners(alice).blocksCantBreak.has(id))
})

test('a search for a way builds no whole block', () => {
  const alice = { ...bot('1.16.5'), blockAt: () => assert.fail('a whole block'), world: { getColumnAt: () => null } }
  for (const manners of [walkingManners, diggingManners]) {
    assert.strictEqual(manners(alice).getBlock(new Vec3(0, 64, 0), 0, -1, 0).physical, false)
  }
})

const ROCK = new Vec3(8, 64, 8)

/** Whether a way is dug through a rock in the air with things beside it: steps to them, and names. */
function isDug (...things) {
  const alice = bot('1.16.5')
  const stateAt = ({ x, y, z }) => {
    const at = new Vec3(x, y, z)
    if (at.equals(ROCK)) return alice.registry.blocksByName.stone.defaultState
    const found = things.find(([step]) => at.equals(ROCK.offset(...step)))
    return found ? alice.registry.blocksByName[found[1]].defaultState : 0
  }
  Object.assign(alice, { world: { getColumnAt: () => ({ getBlockStateId: stateAt }) }, entities: {} })
  const manners = diggingManners(alice)
  return manners.safeToBreak(manners.getBlock(ROCK, 0, 0, 0))
}

test('no way is dug through what holds lava, water or a fall back', () => {
  for (const step of [[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]) {
    assert.strictEqual(isDug([step, 'lava']), false, `lava ${step}`)
    assert.strictEqual(isDug([step, 'dirt']), true, `dirt ${step}`)
  }
  for (const name of ['kelp', 'seagrass']) assert.strictEqual(isDug([[1, 0, 0], name]), false, name)
  for (const name of ['red_sand', 'white_concrete_powder', 'anvil', 'gravel']) {
    assert.strictEqual(isDug([[0, 1, 0], name]), false, name)
    assert.strictEqual(isDug([[1, 0, 0], name]), true, name)
  }
})

test('loose ground is dug where it comes to lie in the place of what is broken', () => {
  const floor = [[0, -1, 0], 'stone']
  const heap = (count, name) => Array.from({ length: count }, (_, up) => [[0, up + 1, 0], name])
  for (const name of ['sand', 'red_sand', 'gravel']) {
    assert.ok(isDug(floor, ...heap(1, name)), name)
    assert.ok(isDug(floor, ...heap(6, name)), `6 ${name}`)
    assert.ok(!isDug(floor, ...heap(7, name)), `7 ${name}`)
    assert.ok(!isDug(...heap(1, name)), `${name} over a hole`)
    assert.ok(!isDug(floor, ...heap(1, name), [[0, 2, 0], 'lava']), `lava on ${name}`)
  }
  assert.ok(!isDug(floor, ...heap(1, 'anvil')))
})

/** The cells that a bot at 0 65 0 on a block may step to, above ground of this kind. */
function steps (ground, level, isWet) {
  const alice = bot('1.16.5')
  const state = name => alice.registry.blocksByName[name].defaultState
  const stateAt = ({ x, y, z }) => {
    const isHere = x === 0 && z === 0
    const isGap = isWet && (x === 1 || x === 15) // beside it, on either side of the border of chunks
    if (isHere) return y === 64 ? state('stone') : 0
    return y === (isGap ? level - 1 : level) ? state(isGap ? 'water' : ground) : 0
  }
  Object.assign(alice, { world: { getColumnAt: () => ({ getBlockStateId: stateAt }) }, entities: {} })
  Object.assign(alice, { game: { minY: 0 }, entity: { position: new Vec3(0, 65, 0) } })
  return walkingManners(alice).getNeighbors({ x: 0, y: 65, z: 0, remainingBlocks: 0 })
}

test('nobody comes down on farmland from above, nor with a leap', () => {
  assert.ok(steps('grass_block', 63).some(({ y }) => y === 64))
  assert.deepStrictEqual(steps('farmland', 63).filter(({ y }) => y === 64), [])
  const leaps = ground => steps(ground, 64, true).filter(({ x, z }) => Math.abs(x) === 2 && z === 0)
  assert.ok(leaps('grass_block').length > 0)
  assert.deepStrictEqual(leaps('farmland'), [])
  assert.ok(steps('farmland', 64).some(({ y }) => y === 65), 'it walks on it')
})
