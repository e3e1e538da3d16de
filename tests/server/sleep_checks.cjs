'use strict'
// Run by test_checks_in_node.py: who may sleep, and when all who sleep have had their night.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const beds = require(path.join(SERVER, 'beds.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { Vec3 } = load('vec3')

const [NIGHT, NIGHT_TICKS] = [18000, 100]
const BED = new Vec3(0, 64, 0)
const GROUND = { name: 'stone', boundingBox: 'block' }
const AIR = { name: 'air', boundingBox: 'empty' }

/** A bed on a plain at night, and players beside it; `run` lets ticks pass. */
function bedroom (names) {
  const bed = { name: 'red_bed', boundingBox: 'block', position: BED, getProperties: () => ({ part: 'head', facing: 'north' }) }
  const world = { getBlock: async at => at.equals(BED) ? bed : at.y < 64 ? GROUND : AIR }
  const registry = { blocksByName: { red_bed: { states: [], minStateId: 0, defaultState: 0 } } }
  const serv = Object.assign(new EventEmitter(), { registry, time: NIGHT, tickCount: 0, players: [], entities: {} })
  Object.assign(serv, { setBlockDataProperties: () => 0, setBlock: async () => {}, setTime: time => { serv.time = time } })
  let click
  serv.onBlockInteraction = (_, handle) => { click = handle }
  const told = []
  beds(serv, { send: (player, { translate }) => told.push(translate.split('.').at(-1)) }, { held: () => null })
  for (const name of names) {
    const player = Object.assign(new EventEmitter(), { name, uuid: name, world, listed: true, gameMode: 0, position: new Vec3(1, 64, 0) })
    const _client = Object.assign(new EventEmitter(), { write: () => {} })
    Object.assign(player, { _client, metadata: [], sendMetadata: () => {}, _writeOthersNearby: () => {}, teleport: async () => {} })
    serv.players.push(player)
    serv.emit('newPlayer', player)
  }
  const run = async ticks => {
    for (let i = 0; i < ticks; i++) serv.emit('tick', 0.05, ++serv.tickCount)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { serv, told, run, sleep: player => click({ block: bed, player }) }
}

test('it is morning once all have slept for five seconds', async () => {
  const { serv, run, sleep } = bedroom(['alice', 'bob'])
  for (const player of serv.players) await sleep(player)
  await run(NIGHT_TICKS - 1)
  assert.strictEqual(serv.time, NIGHT)
  await run(1)
  assert.strictEqual(serv.time, 0)
  assert.deepStrictEqual(serv.players.map(({ bed }) => bed), [null, null])
})

for (const [how, goes] of [
  ['has left', (serv, player) => { serv.players.pop(); player.emit('disconnected') }],
  ['only looks on', (serv, player) => { player.gameMode = 3 }]
]) {
  test(`it is morning once the last who was awake ${how}`, async () => {
    const { serv, run, sleep } = bedroom(['alice', 'bob'])
    await sleep(serv.players[0])
    await run(2 * NIGHT_TICKS)
    assert.strictEqual(serv.time, NIGHT)
    goes(serv, serv.players[1])
    await run(1)
    assert.strictEqual(serv.time, 0)
  })
}

test('nobody sleeps while a monster is within 8 blocks, or 5 up or down', async () => {
  const { serv, told, sleep } = bedroom(['alice'])
  const [alice] = serv.players
  for (const [x, y, z] of [[8, 64, -8], [-8, 69, 0], [0, 59, 0]]) {
    serv.entities = { 1: { isMonster: true, position: new Vec3(x, y, z) } }
    await sleep(alice)
    assert.deepStrictEqual([told.at(-1), alice.bed], ['not_safe', undefined], `${x} ${y} ${z}`)
  }
  serv.entities = { 1: { isMonster: true, position: new Vec3(9, 64, 0) }, 2: { isMonster: true, position: new Vec3(0, 70, 0) }, 3: { position: BED } }
  await sleep(alice)
  assert.ok(alice.bed)
})
