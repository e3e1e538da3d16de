'use strict'
// Run by test_checks_in_node.py: what players are told of one who walks about, and of creatures.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { beforeEach, mock, test } = require('node:test')

const steps = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'steps.cjs'))

let time, told, serv, steve

beforeEach(() => {
  mock.timers.reset()
  mock.timers.enable({ apis: ['setTimeout'] })
  time = 5000
  told = []
  serv = Object.assign(new EventEmitter(), { _writeArray: (name, fields) => told.push([name, fields]) })
  steps(serv, () => time)
  steve = joined(7)
})

function joined (id) {
  const player = Object.assign(new EventEmitter(), {
    id,
    getNearbyPlayers: () => ['Alice'],
    type: 'player',
    _writeOthersNearby: (name, fields) => told.push([name, fields]),
    spawnEntity: entity => told.push(['shown', entity.id]),
    teleport: async dX => walk(player, dX)
  })
  serv.emit('newEntity', player)
  serv.emit('newPlayer', player)
  return player
}

function born (id, type) {
  const entity = { id, type, getNearbyPlayers: () => ['Alice'], _writeOthersNearby: (name, fields) => told.push([name, fields]) }
  serv.emit('newEntity', entity)
  return entity
}

function pass (ms) {
  time += ms
  mock.timers.tick(ms)
}

function walk (player, dX, onGround = true) {
  player._writeOthersNearby('rel_entity_move', { entityId: player.id, dX, dY: 0, dZ: -dX, onGround })
}

function look (player, yaw) {
  player._writeOthersNearby('entity_look', { entityId: player.id, yaw, pitch: 3, onGround: true })
  player._writeOthersNearby('entity_head_rotation', { entityId: player.id, headYaw: yaw })
}

test('the first step after a rest is told at once', () => {
  walk(steve, 10)
  pass(0)
  assert.deepStrictEqual(told, [['rel_entity_move', { entityId: 7, dX: 10, dY: 0, dZ: -10, onGround: true }]])
})

test('all steps of two ticks are told as one', () => {
  walk(steve, 10)
  pass(0)
  told = []
  for (const dX of [20, 30]) walk(steve, dX, dX === 20)
  pass(99)
  assert.deepStrictEqual(told, [])
  pass(1)
  assert.deepStrictEqual(told, [['rel_entity_move', { entityId: 7, dX: 50, dY: 0, dZ: -50, onGround: false }]])
})

test('who walks and turns is told in one packet, and the head in one', () => {
  look(steve, 100)
  walk(steve, 10)
  look(steve, 120)
  pass(0)
  assert.deepStrictEqual(told, [
    ['entity_move_look', { entityId: 7, dX: 10, dY: 0, dZ: -10, yaw: 120, pitch: 3, onGround: true }],
    ['entity_head_rotation', { entityId: 7, headYaw: 120 }]
  ])
})

test('who only turns is not moved', () => {
  look(steve, 100)
  pass(0)
  assert.deepStrictEqual(told.map(([name]) => name), ['entity_look', 'entity_head_rotation'])
})

test('what one does is told after the steps up to there', () => {
  walk(steve, 10)
  steve._writeOthersNearby('animation', { entityId: 7 })
  assert.deepStrictEqual(told.map(([name]) => name), ['rel_entity_move', 'animation'])
})

test('who is shown stands where it is by now', () => {
  const alex = joined(8)
  walk(steve, 10)
  walk(alex, 20)
  alex.spawnEntity(steve)
  assert.deepStrictEqual(told.map(([name, fields]) => [name, fields.entityId ?? fields]), [['rel_entity_move', 7], ['shown', 7]])
})

test('steps too long for one packet are told in two', () => {
  for (const dX of [20_000, 20_000]) walk(steve, dX)
  pass(0)
  assert.deepStrictEqual(told.map(([, { dX }]) => dX), [20_000, 20_000])
})

test('nobody is told of the last step of who has gone', () => {
  walk(steve, 10)
  steve.emit('disconnected')
  pass(100)
  assert.deepStrictEqual(told, [])
})

test('who is put elsewhere is told at once', async () => {
  walk(steve, 10)
  pass(0)
  told = []
  await steve.teleport(500)
  assert.deepStrictEqual(told.map(([, { dX }]) => dX), [500])
})

test('the steps of a creature in three ticks are told as one, before its blow and before it is gone', () => {
  const zombie = born(9, 'mob')
  walk(zombie, 10)
  pass(0)
  told = []
  for (const dX of [20, 30]) walk(zombie, dX)
  pass(149)
  assert.deepStrictEqual(told, [])
  zombie._writeOthersNearby('animation', { entityId: 9 })
  walk(zombie, 5)
  zombie._writeOthersNearby('entity_destroy', { entityIds: [9] })
  pass(150)
  assert.deepStrictEqual(told.map(([name, { dX }]) => [name, dX]), [
    ['rel_entity_move', 50], ['animation', undefined], ['rel_entity_move', 5], ['entity_destroy', undefined]
  ])
})

test('what flies or falls is told at once', () => {
  const arrow = born(10, 'object')
  for (const dX of [20, 30]) walk(arrow, dX)
  assert.deepStrictEqual(told.map(([, { dX }]) => dX), [20, 30])
})
