'use strict'
// Run by test_checks_in_node.py: figures of harm and hunger against those of minecraft.wiki.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const harms = require(path.join(SERVER, 'harms.cjs'))
const hunger = require(path.join(SERVER, 'hunger.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { Vec3 } = load('vec3')

const FULL = [[0, 0, 0, 1, 1, 1]]
const AIR = { name: 'air', boundingBox: 'empty', transparent: true, shapes: [] }
const named = name => ({ ...AIR, name, ...(name === 'stone' && { boundingBox: 'block', transparent: false, shapes: FULL }) })

/** One player in a world of air and some blocks; `run` lets ticks pass. */
function life (cells = {}, difficulty = 2) {
  const serv = Object.assign(new EventEmitter(), { difficulty, tickCount: 0, players: [] })
  const world = { getBlock: async ({ x, y, z }) => named(cells[`${x} ${y} ${z}`] ?? 'air') }
  const player = Object.assign(new EventEmitter(), {
    ...{ gameMode: 0, listed: true, health: 20, food: 20, foodSaturation: 5 },
    ...{ world, position: new Vec3(0.5, 64, 0.5), onGround: true, metadata: [], sendMetadata: () => {} },
    _client: Object.assign(new EventEmitter(), { write: () => {} }),
    updateHealth: health => { player.health = health },
    updateFood: food => { player.food = food },
    updateFoodSaturation: level => { player.foodSaturation = level }
  })
  const blows = []
  const death = { hurt: (_, amount, { key }) => { blows.push([serv.tickCount, amount, key.split('.').at(-1)]); player.health -= amount } }
  hunger(serv, harms(serv, death))
  serv.players.push(player)
  serv.emit('newPlayer', player)
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const run = async ticks => {
    for (let i = 0; i < ticks; i++) {
      serv.emit('tick', 0.05, ++serv.tickCount)
      if (serv.tickCount % 10 === 0) await settle()
    }
  }
  const move = async (x, y, z, onGround) => {
    const position = new Vec3(x, y, z)
    player.emit('move', { position, onGround })
    Object.assign(player, { position, onGround })
    await settle()
  }
  return { serv, player, blows, run, move }
}

for (const [block, at, amount, key] of [
  ['lava', '0 64 0', 4, 'lava'],
  ['fire', '0 64 0', 1, 'inFire'],
  ['soul_fire', '0 64 0', 2, 'inFire'],
  ['cactus', '0 64 0', 1, 'cactus'],
  ['stone', '0 65 0', 1, 'inWall']
]) {
  test(`${block} takes ${amount} each half second`, async () => {
    const { blows, run } = life({ [at]: block })
    await run(20)
    assert.deepStrictEqual(blows, [[10, amount, key], [20, amount, key]])
  })
  test(`${block} does nothing on peaceful`, async () => {
    const { blows, run } = life({ [at]: block }, 0)
    await run(20)
    assert.deepStrictEqual(blows, [])
  })
}

test('fire goes on burning for eight seconds, one each second, and water ends it', async () => {
  const cells = { '0 64 0': 'fire' }
  const { blows, run } = life(cells)
  await run(10)
  delete cells['0 64 0']
  await run(200)
  const burnt = blows.filter(([, , key]) => key === 'onFire')
  assert.strictEqual(burnt.length, 7)
  assert.ok(burnt.every(([tick], i) => !i || tick - burnt[i - 1][0] === 20))
  cells['0 64 0'] = 'fire'
  await run(10)
  const before = blows.length
  cells['0 64 0'] = 'water'
  await run(100)
  assert.strictEqual(blows.length, before)
})

test('breath lasts fifteen seconds; then one drowns by two each second', async () => {
  const { blows, run, player } = life({ '0 64 0': 'water', '0 65 0': 'water', '0 66 0': 'water' })
  await run(310)
  assert.deepStrictEqual(blows, [])
  await run(50)
  assert.deepStrictEqual(blows, [[320, 2, 'drown'], [340, 2, 'drown'], [360, 2, 'drown']])
  player.position = new Vec3(0.5, 80, 0.5)
  await run(80)
  assert.strictEqual(player.breath, 300)
})

for (const [blocks, onto, amount] of [[3, 'stone', 0], [4, 'stone', 1], [10, 'stone', 7], [13, 'hay_block', 2], [23, 'slime_block', 0]]) {
  test(`a fall of ${blocks} onto ${onto} takes ${amount}`, async () => {
    const { blows, move } = life({ '0 63 0': onto })
    await move(0.5, 64 + blocks, 0.5, false)
    for (let y = 64 + blocks - 1; y >= 64; y--) await move(0.5, y, 0.5, y === 64)
    assert.deepStrictEqual(blows.map(([, took]) => took), amount ? [amount] : [])
  })
}

test('steps that come at once count once', async () => {
  const { player, blows, run } = life({ '0 63 0': 'stone' })
  for (const y of [68, 67, 66, 65, 64]) player.emit('move', { position: new Vec3(0.5, y, 0.5), onGround: y === 64 })
  await run(10)
  assert.deepStrictEqual(blows.map(([, took]) => took), [1])
})

test('water breaks a fall', async () => {
  const { blows, move } = life({ '0 64 0': 'water', '0 63 0': 'stone' })
  await move(0.5, 84, 0.5, false)
  await move(0.5, 64, 0.5, true)
  assert.deepStrictEqual(blows, [])
})

test('running forty blocks costs a point, and walking none', async () => {
  const { player, move } = life()
  await move(45.5, 64, 0.5, true)
  assert.strictEqual(player.foodSaturation, 5)
  player._client.emit('entity_action', { actionId: 'start_sprinting' })
  await move(4.5, 64, 0.5, true)
  assert.strictEqual(player.foodSaturation, 4)
})

for (const [difficulty, left] of [[1, 10], [2, 1], [3, 0]]) {
  test(`who starves at ${difficulty} is left with ${left}`, async () => {
    const { player, run } = life({}, difficulty)
    player.food = player.foodSaturation = 0
    await run(80 * 21)
    assert.strictEqual(player.health, left)
  })
}

test('who is full heals by a point in half a second, who is nearly full in four', async () => {
  const { player, run } = life()
  Object.assign(player, { health: 10, foodSaturation: 6 })
  await run(10)
  assert.strictEqual(player.health, 11)
  Object.assign(player, { health: 10, food: 18, foodSaturation: 0 })
  await run(79)
  assert.strictEqual(player.health, 11)
})
