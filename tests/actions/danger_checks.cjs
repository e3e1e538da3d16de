'use strict'
// Run by test_checks_in_node.py: a bot looks for danger as something around it changes.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { beforeEach, test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const danger = require(path.join(HOST, 'danger.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

const VERSION = '1.16.5'
const FEET = new Vec3(8.5, 64, 8.5)
const registry = load('prismarine-registry')(VERSION)

let bot, chunk, looks, told

beforeEach(() => {
  chunk = new (load('prismarine-chunk')(registry))({ minY: 0, worldHeight: 256 })
  const world = new (load('prismarine-world')(registry))(null).sync
  world.setColumn(0, 0, chunk)
  bot = Object.assign(new EventEmitter(), {
    version: VERSION,
    registry,
    world,
    blockAt: point => world.getBlock(point),
    _client: new EventEmitter(),
    health: 20,
    food: 20,
    game: { dimension: 'overworld' },
    time: { timeOfDay: 6000 },
    entity: { position: FEET.clone(), metadata: [] }
  })
  const entities = {}
  looks = 0
  Object.defineProperty(bot, 'entities', { get: () => { looks++; return entities } })
  told = []
  for (const event of ['near', 'endangered']) bot.on(event, what => told.push([event, what]))
  danger(bot)
  bot.emit('arrived')
  ticks(2)
  looks = 0
})

function ticks (count) {
  for (let i = 0; i < count; i++) bot.emit('physicsTick')
}

function zombie (away) {
  const entity = { id: 7, name: 'zombie', position: FEET.offset(away, 0, 0), metadata: [] }
  bot.entities[7] = entity
  looks = 0
  return entity
}

function put (name, up) {
  const at = FEET.offset(0, up, 0).floored()
  bot.world.setBlockStateId(at, registry.blocksByName[name].defaultState)
  bot.emit('blockUpdate', null, { position: at })
}

test('where nothing changes it does not look', () => {
  ticks(20)
  bot.emit('entityMoved', zombie(30))
  ticks(20)
  assert.deepStrictEqual([looks, told], [0, []])
})

test('a night in which it comes is told once it has arrived, not before', () => {
  const told = []
  const late = Object.assign(Object.create(bot), new EventEmitter(), { _client: new EventEmitter(), time: { timeOfDay: 14000 } })
  late.on('endangered', harms => told.push(harms))
  danger(late)
  for (let i = 0; i < 4; i++) late.emit('physicsTick')
  assert.deepStrictEqual(told, [])
  late.emit('arrived')
  for (let i = 0; i < 2; i++) late.emit('physicsTick')
  assert.deepStrictEqual(told, [['night']])
})

test('a monster that comes near is told of within two ticks, and so is that it goes', () => {
  bot.emit('entityMoved', zombie(12))
  ticks(2)
  assert.deepStrictEqual(told.map(([event, monsters]) => [event, monsters.length]), [['near', 1]])
  const gone = bot.entities[7]
  delete bot.entities[7]
  bot.emit('entityGone', gone)
  ticks(2)
  assert.deepStrictEqual(told.slice(1), [['near', []]])
})

test('who walks on the edge of a ring is told of once', () => {
  const walker = zombie(30)
  const counts = [11.9, 12.1, 11.8, 12.9, 13.1, 12.5, 11.9, 17.5].map(away => {
    walker.position = FEET.offset(away, 0, 0)
    bot.emit('entityMoved', walker)
    ticks(2)
    return told.length
  })
  assert.deepStrictEqual(counts, [1, 1, 1, 1, 2, 2, 3, 4])
})

test('what falls on its head or burns it is told of within two ticks', () => {
  put('sand', 1)
  ticks(2)
  put('air', 1)
  put('lava', 0)
  ticks(2)
  assert.deepStrictEqual(told, [['endangered', ['buried']], ['endangered', ['lava']]])
})

test('its own fire and breath are told of within two ticks', () => {
  bot.entity.metadata = [1, 100]
  bot.emit('entityUpdate', bot.entity)
  ticks(2)
  assert.deepStrictEqual(told, [['endangered', ['burning', 'airless']]])
})

test('where it walks, and as time passes, it looks at all again', () => {
  for (const event of ['move', 'time']) {
    looks = 0
    bot.emit(event)
    ticks(20)
    assert.strictEqual(looks, 1, event)
  }
})
