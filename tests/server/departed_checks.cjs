'use strict'
// Run by test_server_parts.py: what has gone is shown to nobody any more.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const departed = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'departed.cjs'))

/** A server with these entities, all of which are near one another. */
function serverWith (...entities) {
  const serv = Object.assign(new EventEmitter(), {
    entities: { ...entities },
    destroyEntity: entity => { serv.entities = { ...Object.values(serv.entities).filter(e => e !== entity) } }
  })
  const others = self => Object.values(serv.entities).filter(entity => entity !== self)
  for (const entity of entities) {
    entity.nearbyEntities = others(entity)
    entity.getNearbyPlayers = () => others(entity).filter(({ type }) => type === 'player')
    entity.updateAndSpawn = () => { // as flying-squid does
      const isNew = other => !entity.nearbyEntities.includes(other)
      for (const player of entity.getNearbyPlayers().filter(isNew)) player.shown.push(entity)
      entity.nearbyEntities = others(entity)
    }
  }
  departed(serv)
  return serv
}

const player = () => ({ type: 'player', shown: [], despawnEntities () {} })

test('an item that was picked up while it fell is not shown again as its fall ends', () => {
  const [steve, item] = [player(), { type: 'object' }]
  serverWith(steve, item).destroyEntity(item)
  item.updateAndSpawn()
  assert.deepStrictEqual(steve.shown, [])
  assert.deepStrictEqual(steve.nearbyEntities, [])
})

test('nobody is told where an item is that was picked up while it fell', () => {
  const [steve, item] = [player(), { type: 'object' }]
  serverWith(steve, item).destroyEntity(item)
  assert.deepStrictEqual(item.getNearbyPlayers(), [])
})

test('nobody is told where a player is who has gone', () => {
  const [steve, alice] = [Object.assign(new EventEmitter(), player()), player()]
  steve.nearbyPlayers = () => [alice]
  const serv = serverWith(steve, alice)
  serv.emit('newPlayer', steve)
  serv.entities = { 1: alice }
  steve.emit('disconnected')
  assert.deepStrictEqual(steve.getNearbyPlayers(), [])
})

test('what is still there is shown to who comes near', () => {
  const [steve, item] = [player(), { type: 'object' }]
  serverWith(steve, item)
  item.nearbyEntities = []
  item.updateAndSpawn()
  assert.deepStrictEqual(steve.shown, [item])
})
