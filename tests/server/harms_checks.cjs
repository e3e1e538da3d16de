'use strict'
// Run by test_checks_in_node.py: figures of harm and hunger against those of minecraft.wiki.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const digging = require(path.join(SERVER, 'digging.cjs'))
const dying = require(path.join(SERVER, 'death.cjs'))
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

const step = (x, y, onGround) => ({ move }) => move(x, y, 0.5, onGround)
// What is done, what of it costs exhaustion, and how the player is meanwhile.
for (const [what, costs, act, facts = {}] of [
  ['walking ten blocks', 0, step(10.5, 64, true)],
  ['running ten blocks', 1, step(10.5, 64, true), { isRunning: true }],
  ['ten blocks of a leap while running', 0, step(10.5, 64, false), { isRunning: true, onGround: false }],
  ['a jump', 0.05, step(0.5, 64.42, false)],
  ['a jump while running', 0.2, step(0.5, 64.42, false), { isRunning: true }],
  ['swimming ten blocks', 0.1, step(10.5, 64, false), { isWet: true, onGround: false }],
  ['swimming ten blocks in haste', 0.1, step(10.5, 64, true), { isWet: true, isRunning: true }],
  ['bobbing at the surface', 0, step(0.5, 54, false), { isWet: true, onGround: false }],
  ['diving ten blocks', 0.1, step(0.5, 54, false), { isWet: true, isUnder: true, onGround: false }],
  ['a blow that lands', 0.1, ({ player }) => player.emit('landed')],
  ['a blow taken', 0.1, ({ player }) => player.emit('hurt', 'death.attack.mob')],
  ['a fall, which no armour helps against', 0, ({ player }) => player.emit('hurt', 'death.attack.fall')],
  ['a block dug', 0.005, ({ player }) => player.emit('broke')],
  ['a block dug in adventure', 0.005, ({ player }) => player.emit('broke'), { gameMode: 2 }],
  ['a block dug in creative', 0, ({ player }) => player.emit('broke'), { gameMode: 1 }]
]) {
  test(`${what}: ${costs} of exhaustion`, async () => {
    const one = life()
    await one.move(0.5, 64, 0.5, facts.onGround ?? true)
    Object.assign(one.player, facts)
    await act(one)
    assert.strictEqual(Number(one.player.exhaustion.toFixed(4)), costs)
  })
}

test('who is hurt is told by what, and who breaks a block that they have', async () => {
  const heard = []
  const _client = Object.assign(new EventEmitter(), { write: () => {} })
  const player = Object.assign(new EventEmitter(), { health: 20, gameMode: 1, position: new Vec3(0, 64, 0), _client, updateHealth: () => {}, _writeOthersNearby: () => {} })
  for (const event of ['hurt', 'broke']) player.on(event, how => heard.push([event, how]))
  const stone = { ...named('stone'), type: 1, stateId: 1, digTime: () => 0, getProperties: () => ({}) }
  player.world = { getBlock: async () => stone, getBlockStateId: async () => 1 }
  const serv = Object.assign(new EventEmitter(), { setBlock: async () => {} })
  dying(serv, {}, { blocks: () => false, through: (_, amount) => amount }).hurt(player, 1, { key: 'death.attack.cactus' })
  digging(serv, { inventory: { held: () => null }, waters: { emptied: async () => 0 }, lava: { letOut: () => {} }, beds: { otherHalf: () => null } })
  serv.emit('newPlayer', player)
  player._client.emit('block_dig', { location: { x: 0, y: 63, z: 0 }, status: 0 })
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.deepStrictEqual(heard, [['hurt', 'death.attack.cactus'], ['broke', undefined]])
})

test('each point healed costs six', async () => {
  const quick = life()
  Object.assign(quick.player, { health: 10, foodSaturation: 20 })
  await quick.run(10)
  assert.deepStrictEqual([quick.player.health, quick.player.foodSaturation, quick.player.exhaustion], [11, 19, 2])
  const slow = life()
  Object.assign(slow.player, { health: 10, food: 18, foodSaturation: 0 })
  await slow.run(80)
  assert.deepStrictEqual([slow.player.health, slow.player.food, slow.player.exhaustion], [11, 17, 2])
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
