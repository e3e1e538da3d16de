'use strict'
// Run by test_checks_in_node.py: walking sees the same blocks as looking does.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { ground, groundAt } = require(path.join(HOST, 'ground.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

const KINDS = ['stone', 'grass_block', 'grass', 'water', 'ladder', 'oak_door', 'wooden_door', 'oak_slab', 'oak_fence',
  'fence', 'soul_sand', 'chest', 'oak_sign', 'lava']
const TOLD = ['type', 'metadata', 'stateId', 'name', 'position', 'shapes', 'boundingBox', 'hardness', 'diggable',
  'transparent', 'material', 'isWaterlogged']

/** A bot whose one chunk has a row of blocks, three states of each, in versions that have them. */
function inWorld (version) {
  const registry = load('prismarine-registry')(version)
  const world = new (load('prismarine-world')(registry))(null).sync
  const chunk = new (load('prismarine-chunk')(registry))({ minY: 0, worldHeight: 256 })
  const states = KINDS.flatMap(name => statesOf(registry, name))
  const places = states.map((state, i) => new Vec3(i % 16, 64, Math.floor(i / 16)))
  places.forEach((at, i) => chunk.setBlockStateId(at, states[i]))
  world.setColumn(0, 0, chunk)
  const bot = { version, registry, world, blockAt: point => world.getBlock(point) }
  return { bot, places }
}

function statesOf (registry, name) {
  const kind = registry.blocksByName[name]
  if (!kind) return []
  const first = kind.minStateId ?? kind.id << 4
  const last = Math.min(first + 2, kind.maxStateId ?? first + 2)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

const told = block => ({ ...Object.fromEntries(TOLD.map(name => [name, block[name]])), ...block.getProperties() })

for (const version of ['1.8.8', '1.12.2', '1.16.5', '1.18.2', '1.21.4']) {
  test(`walking sees what looking sees, in ${version}`, () => {
    const { bot, places } = inWorld(version)
    const points = [...places, new Vec3(3.7, 64.9, 1.2), new Vec3(5, 80, 5), new Vec3(5, -3, 5), new Vec3(5, 300, 5)]
    for (const point of points) assert.deepStrictEqual(told(groundAt(bot, point)), told(bot.blockAt(point)))
    assert.ok(new Set(places.map(at => groundAt(bot, at).name)).size >= 8)
  })

  test(`a block that has changed is seen at once, in ${version}`, () => {
    const { bot, places: [first] } = inWorld(version)
    assert.strictEqual(groundAt(bot, first).name, 'stone')
    bot.world.setBlockStateId(first, 0)
    assert.strictEqual(groundAt(bot, first).name, 'air')
  })
}

test('what one notes of a block is not noted of another of its kind', () => {
  const { bot, places: [first] } = inWorld('1.16.5')
  const [here, again] = [groundAt(bot, first), groundAt(bot, first)]
  here.safe = true
  here.position.x = 99
  assert.strictEqual(again.safe, undefined)
  assert.ok(again.position.equals(first))
})

test('where nothing is loaded is no block', () => {
  assert.strictEqual(groundAt(inWorld('1.16.5').bot, new Vec3(40, 64, 0)), null)
})

/** What a step is computed from: the block there, for a body at `pos` that sneaks or does not. */
function met (bot, at, pos, sneak = false) {
  const physics = { simulatePlayer: ({ control }, world) => ({ control, block: world.getBlock(at) }) }
  ground(Object.assign(bot, { physics }))
  return physics.simulatePlayer({ pos, control: { sneak } }, { getBlock: () => assert.fail() })
}

test('steps are computed on the ground', () => {
  const { bot, places: [first] } = inWorld('1.16.5')
  assert.strictEqual(met(bot, first, new Vec3(0.5, 65, 0.5)).block.name, 'stone')
})

test('scaffolding bears who stands on it, and lets through who is below or sneaks', () => {
  const { bot, places: [first] } = inWorld('1.16.5')
  bot.world.setBlockStateId(first, bot.registry.blocksByName.scaffolding.minStateId)
  const [above, within] = [first.offset(0.5, 1, 0.5), first.offset(0.5, 0.4, 0.5)]
  const boxes = (...of) => met(bot, first, ...of).block.shapes.length
  assert.deepStrictEqual([boxes(above) > 0, boxes(within), boxes(above, true)], [true, 0, 0])
  assert.strictEqual(met(bot, first, above, true).control.sneak, false)
  assert.strictEqual(met(bot, first, first.offset(5.5, 3, 5.5), true).control.sneak, true)
})

test('vines of the Nether are climbed as others are', () => {
  const { bot, places: [first] } = inWorld('1.16.5')
  const { vine, weeping_vines: weeping } = bot.registry.blocksByName
  bot.world.setBlockStateId(first, weeping.minStateId)
  assert.strictEqual(met(bot, first, first).block.type, vine.id)
})

/** Where a body comes to that is pushed again and again in a shaft at x, with stone all around. */
function pushedInShaft (x, push) {
  const registry = load('prismarine-registry')('1.16.5')
  const { Physics, PlayerState } = load('prismarine-physics')
  const physics = Physics(registry, {})
  const isOpen = at => Math.floor(at.x) === x && at.y >= 64
  const world = { getColumnAt: at => ({ getBlockStateId: () => isOpen(at) ? 0 : 1 }) }
  ground({ version: '1.16.5', registry, physics, world })
  const entity = { position: new Vec3(x + 0.5, 64, 0.5), velocity: new Vec3(0, 0, 0), yaw: 0, pitch: 0, effects: {}, attributes: {} }
  const bot = { version: '1.16.5', registry, entity, inventory: { slots: [] }, jumpTicks: 0 }
  const still = { forward: false, back: false, left: false, right: false }
  const state = new PlayerState(bot, still)
  for (let tick = 0; tick < 20; tick++) {
    if (tick % 5 === 0) state.vel.x = push
    physics.simulatePlayer(state)
  }
  return state.pos.x
}

test('walls hold whoever is pushed at them', () => {
  for (const x of [2, 32, 512]) assert.strictEqual(Math.floor(pushedInShaft(x, -0.4)), x)
  for (const x of [-300, 1, 7]) assert.strictEqual(Math.floor(pushedInShaft(x, 0.4)), x)
})
