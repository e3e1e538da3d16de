'use strict'
// Run by test_checks_in_node.py: land is let go of that nobody sees.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const { dropUnseen } = require(path.join(SERVER, 'memory.cjs'))

test('what a look loaded is let go of, and not what a player sees or an animal stands on', () => {
  const kept = ['0,0', '-1,5', '7,7', '-2,-9']
  const overworld = {
    getColumns: () => kept.map(key => key.split(',')).map(([chunkX, chunkZ]) => ({ chunkX, chunkZ })),
    unloadColumn: (x, z) => kept.splice(kept.indexOf(`${x},${z}`), 1)
  }
  const cow = { position: { x: -8.5, y: 64, z: 80.5 } }
  dropUnseen({ overworld, entities: { 3: cow }, _worldChunksUsed: { '0,0': 1, '7,7': 0 } })
  assert.deepStrictEqual(kept, ['0,0', '-1,5'])
})
