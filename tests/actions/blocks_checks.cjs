'use strict'
// Run by test_checks_in_node.py: what a placed block takes the place of.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { isReplaceable } = require(path.join(HOST, 'acting', 'blocks.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

require(path.join(HOST, 'names.cjs')).nameAnew()

function block (version, name) {
  const registry = load('prismarine-registry')(version)
  const { defaultState, id } = registry.blocksByName[name]
  return load('prismarine-block')(registry).fromStateId(defaultState ?? id << 4, 0)
}

for (const [version, ground, plant] of [['1.8.8', 'grass', 'tallgrass'], ['1.12.2', 'grass', 'tallgrass'],
  ['1.16.5', 'grass_block', 'grass'], ['1.21.4', 'grass_block', 'short_grass']]) {
  test(`the ground stays, and the plant gives way, in ${version}`, () => {
    assert.strictEqual(isReplaceable(block(version, ground)), false)
    assert.strictEqual(isReplaceable(block(version, plant)), true)
  })
}
