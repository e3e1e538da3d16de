'use strict'
// Run by test_checks_in_node.py: what lies there is known once the server has told it.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { stackOf } = require(path.join(HOST, 'acting', 'drops.cjs'))
const { watchPickups } = require(path.join(HOST, 'acting', 'pickups.cjs'))
const lyingItems = require(path.join(HOST, 'queries', 'lying_items.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

const { stack } = require('../versions/witnesses.json').fields

for (const version of ['1.8.8', '1.9.4', '1.12.2', '1.16.5', '1.20.4', '1.21.4']) {
  const registry = load('prismarine-registry')(version)
  const [, index] = stack.rows.findLast(([since]) => registry.version['>='](since))
  const Entity = load('prismarine-entity')(registry)
  const Item = load('prismarine-item')(registry)
  const lying = () => Object.assign(new Entity(7), { name: registry.entitiesByName.item ? 'item' : 'Item' })

  test(`an item of which only the place is known is none yet, in ${version}`, () => {
    assert.strictEqual(stackOf({ registry }, lying()), null)
    assert.strictEqual(stackOf({ registry }, undefined), null)
  })

  test(`an item that the server has told is known, in ${version}`, () => {
    const drop = lying()
    const dirt = new Item(registry.itemsByName.dirt.id, 5)
    drop.metadata[index] = Item.toNotch(dirt)
    const { name, count } = stackOf({ registry }, drop)
    assert.deepStrictEqual([name, count], ['dirt', 5])
  })
}

// --- what is not recognised ---------------------------------------------------

const { Vec3 } = load('vec3')
const registry = load('prismarine-registry')('1.16.5')

function around (...others) {
  const entities = Object.fromEntries(others.map((entity, id) => [id, { id, position: new Vec3(1, 64, id), ...entity }]))
  return { registry, entities, entity: { position: new Vec3(0, 64, 0) }, _client: new EventEmitter() }
}

test('what lies there and is not recognised is told without a name', () => {
  const bot = around({ name: 'item', metadata: [] }, { name: 'cow', metadata: [] })
  assert.deepStrictEqual(lyingItems(bot, { radius: 8 }), [[null, 1, [1, 64, 0]]])
})

test('whoever picks up what is not recognised may have what was thrown', () => {
  const bot = around({ name: 'item', metadata: [] }, { username: 'Steve' }, { name: 'arrow' })
  const pickups = watchPickups(bot, 'dirt')
  bot._client.emit('collect', { collectedEntityId: 2, collectorEntityId: 1 }) // not an item
  assert.deepStrictEqual([...pickups.unsure], [])
  bot._client.emit('collect', { collectedEntityId: 0, collectorEntityId: 1 })
  assert.deepStrictEqual([pickups.taken, [...pickups.unsure]], [{}, ['Steve']])
})
