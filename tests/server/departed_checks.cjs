'use strict'
// Run by test_checks_in_node.py: what has gone is shown to nobody any more.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const { load } = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'packages.cjs'))
const { Vec3 } = load('vec3')
const departed = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'departed.cjs'))

/** A server with these entities, all of which are near one another. */
function serverWith (...entities) {
  const serv = Object.assign(new EventEmitter(), {
    entities: { ...entities },
    destroyEntity: entity => { serv.entities = { ...Object.values(serv.entities).filter(e => e !== entity) } }
  })
  const others = self => Object.values(serv.entities).filter(entity => entity !== self)
  departed(serv, { viewDistance: 4 })
  for (const entity of entities) {
    entity.nearbyEntities = others(entity)
    entity.getNearby = () => others(entity)
    entity.getNearbyPlayers = () => others(entity).filter(({ type }) => type === 'player')
    serv.emit('newEntity', entity)
  }
  return serv
}

const being = type => Object.assign(new EventEmitter(), { type, position: { clone () {} } })

function player () {
  const shown = []
  return Object.assign(being('player'), { shown, spawnEntity: entity => shown.push(entity), despawnEntities () {} })
}

test('an item that was picked up while it fell is not shown again as its fall ends', () => {
  const [steve, item] = [player(), being('object')]
  serverWith(steve, item).destroyEntity(item)
  item.updateAndSpawn()
  assert.deepStrictEqual(steve.shown, [])
  assert.deepStrictEqual(steve.nearbyEntities, [])
})

test('nobody is told where an item is that was picked up while it fell', () => {
  const [steve, item] = [player(), being('object')]
  serverWith(steve, item).destroyEntity(item)
  assert.deepStrictEqual(item.getNearbyPlayers(), [])
})

test('nobody is told where a player is who has gone', () => {
  const [steve, alice] = [player(), player()]
  steve.nearbyPlayers = () => [alice]
  const serv = serverWith(steve, alice)
  serv.emit('newPlayer', steve)
  serv.entities = { 1: alice }
  steve.emit('disconnected')
  assert.deepStrictEqual(steve.getNearbyPlayers(), [])
})

test('what is still there is shown to who comes near', () => {
  const [steve, item] = [player(), being('object')]
  serverWith(steve, item)
  steve.nearbyEntities = item.nearbyEntities = []
  item.updateAndSpawn()
  assert.deepStrictEqual(steve.shown, [item])
})

test('who comes back from death sees those around, though others come near first', () => {
  const [steve, alice, item] = [player(), player(), being('object')]
  serverWith(steve, alice, item)
  steve.nearbyEntities = [] // as at a respawn
  alice.nearbyEntities = [item]
  alice.updateAndSpawn()
  steve.updateAndSpawn()
  assert.deepStrictEqual(new Set(steve.shown), new Set([alice, item]))
})

test('monsters are shown as far as a player has the world sent, and players and things beyond', () => {
  const at = x => Object.assign(new Vec3(x, 64, 0), { clone: () => at(x) })
  const [steve, alice, zombie, item] = [player(), player(), being('mob'), being('object')]
  Object.assign(steve, { position: at(0), view: 3, gone: [], despawnEntities: gone => steve.gone.push(...gone) })
  Object.assign(alice, { position: at(120) })
  Object.assign(zombie, { position: at(47), isMonster: true })
  Object.assign(item, { position: at(100) })
  const serv = serverWith(steve, alice, zombie, item)
  serv.emit('newPlayer', steve)
  assert.deepStrictEqual(steve.getNearby(), [alice, zombie, item])
  assert.deepStrictEqual(zombie.getNearby(), [steve, item]) // Alice sees no farther than the server sends
  steve.view = 2
  steve.emit('playerChangeRenderDistance')
  assert.deepStrictEqual(steve.gone, [zombie])
  steve.view = 6
  zombie.position = at(65)
  assert.deepStrictEqual(steve.getNearby(), [alice, item])
})
