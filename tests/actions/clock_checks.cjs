'use strict'
// Run by test_checks_in_node.py: a clock that is set while bots live makes nothing wait or hurry.
const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { mock, test, afterEach } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { TAKING_BACK_MS, onPutBack } = require(path.join(HOST, 'acting', 'putback.cjs'))
const HOUR_MS = 3_600_000

afterEach(() => mock.restoreAll())

const block = name => ({ name, type: name, position: { equals: () => true } })

test('a block that comes back late was not put back, though the clock went back an hour', () => {
  const told = []
  const changed = onPutBack(now => told.push(now.name))
  const [begun, shown] = [performance.now(), Date.now()]
  changed(block('stone'), block('air'))
  mock.method(performance, 'now', () => begun + 100 * TAKING_BACK_MS)
  mock.method(Date, 'now', () => shown - HOUR_MS)
  changed(block('air'), block('stone'))
  assert.deepStrictEqual(told, [])
})

test('the clock that can be set only dates what is told', () => {
  const files = fs.readdirSync(HOST, { recursive: true }).filter(name => /(?<!probes)\.cjs$/.test(name))
  const asked = files.flatMap(name => fs.readFileSync(path.join(HOST, name), 'utf8').split('\n'))
    .filter(line => line.includes('Date.now()') && !/\bat: Date\.now\(\),/.test(line))
  assert.ok(files.length > 40)
  assert.deepStrictEqual(asked, [])
})
