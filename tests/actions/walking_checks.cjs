'use strict'
// Run by test_running_of_actions.py: a bot that walks on while the search for its way still thinks.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const { Thinking } = require(path.join(__dirname, '..', '..', 'bridge', 'host', 'acting', 'thinking.cjs'))

const steps = (...names) => names.map(hash => ({ hash }))
const names = way => way.map(({ hash }) => hash).join('')

/** A pathfinder that finds these ways one after the other, and leaves out the first `skipped`. */
function pathfinder (ways, skipped = 0) {
  const thinking = new Thinking()
  const context = { compute: () => ({ context, path: ways.shift() }) }
  thinking.follow(context.compute())
  return () => {
    const result = context.compute()
    result.path.splice(0, skipped)
    thinking.follow(result)
    return names(result.path)
  }
}

test('a step not gone yet stays on the way, though another is nearer', () => {
  const next = pathfinder([steps('a', 'b'), steps('a', 'b', 'c'), steps('a', 'b', 'c', 'd')], 1)
  assert.strictEqual(next(), 'abc')
  assert.strictEqual(next(), 'abcd')
})

test('steps that were gone lie behind', () => {
  const first = steps('a', 'b', 'c')
  const next = pathfinder([first, steps('a', 'b', 'c', 'd'), steps('a', 'b', 'c', 'd', 'e')])
  first.splice(0, 2) // the pathfinder takes them off
  assert.strictEqual(next(), 'cd')
  assert.strictEqual(next(), 'cde')
})

test('after wrong steps the way is as the pathfinder leads back to it', () => {
  const first = steps('a', 'b', 'c')
  const next = pathfinder([first, steps('a', 'x', 'y')], 1)
  first.splice(0, 2)
  assert.strictEqual(next(), 'xy')
})
