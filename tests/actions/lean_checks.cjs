'use strict'
// Run by test_checks_in_node.py: packages do the same with less.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { load } = require(path.join(HOST, 'packages.cjs'))
const find = load('minecraft-data')
require(path.join(HOST, 'lean.cjs'))
const recall = load('minecraft-data')
const { PartialReadError } = load('protodef').utils
const [readVarInt] = load('protodef').types.varint

for (const version of ['1.8.8', '1.16.5', '1.21.4', '1.16', 'pc_1.16.5']) {
  test(`the data of ${version} are those there were`, () => {
    assert.strictEqual(recall(version), find(version))
    assert.strictEqual(recall(version), recall(version))
  })
}

test('what has no data has none', () => {
  assert.strictEqual(recall('1.0.99'), find('1.0.99'))
  assert.strictEqual(recall(47, true), find(47, true))
})

test('what else the package tells is there', () => {
  assert.deepStrictEqual(Object.keys(recall).sort(), Object.keys(find).sort())
})

test('a number of which the end has not come is told so without a stack', () => {
  assert.throws(() => readVarInt(Buffer.from([0x80]), 0), error => {
    assert.ok(error instanceof Error && error instanceof PartialReadError)
    assert.deepStrictEqual([error.partialReadError, error.name, error.stack], [true, 'PartialReadError', undefined])
    return true
  })
})
