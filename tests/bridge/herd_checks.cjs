'use strict'
// Run by test_checks_in_node.py: which creatures are told of where there are many.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const host = path.join(__dirname, '..', '..', 'bridge', 'host')
const { load } = require(path.join(host, 'packages.cjs'))
const { mobs } = require(path.join(host, 'snapshot.cjs'))

const { Vec3 } = load('vec3')
const registry = load('prismarine-registry')('1.16.5')
const MOST = 32

const NAME = 2 // in the metadata
const at = (id, name, away) => ({ id, name, position: new Vec3(away, 64, 0), metadata: {} })

test('a herd hides no monster, nor a horde an animal', () => {
  const entities = [
    ...Array.from({ length: 40 }, (_, i) => at(i, 'cow', 1 + i / 100)), at(100, 'zombie', 3),
    ...Array.from({ length: 40 }, (_, i) => at(200 + i, 'spider', 5 + i / 100)), at(300, 'pig', 2)
  ]
  const told = mobs({ entities, entity: at(0, 'player', 0), registry })
  assert.deepStrictEqual([told.filter(([, , hostile]) => hostile).length, told.length], [MOST, 2 * MOST])
  assert.strictEqual(told.find(([name]) => name === 'zombie')[3], 100)
  const away = told.map(([, [x]]) => x)
  assert.deepStrictEqual(away, away.toSorted((a, b) => a - b))
})

test('what somebody gave a name is told of as somebody\'s, whatever the name', () => {
  const names = [undefined, null, '', 'Rex', { type: 'compound', value: {} }]
  const entities = names.map((name, i) => ({ ...at(i, 'zombie', i), metadata: { [NAME]: name } }))
  const told = mobs({ entities, entity: at(0, 'player', 0), registry })
  assert.deepStrictEqual(told.map(row => row.at(-1)), [false, false, false, true, true])
})
