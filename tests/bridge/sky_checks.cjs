'use strict'
// Run by test_checks_in_node.py: rain is what a client shows, whichever way round a server says it.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const { isRaining, sky } = require(path.join(__dirname, '..', '..', 'bridge', 'host', 'sky.cjs'))

const LEVELS = [[7, 0.1], [7, 0.3], [7, 1]]
const SCENES = [
  ['vanilla begins to rain', [[1, 0], ...LEVELS], true],
  ['vanilla begins to rain, just now', [[1, 0], [7, 0.1]], false],
  ['vanilla clears up', [[1, 0], ...LEVELS, [2, 0], [7, 0.5], [7, 0]], false],
  ['vanilla rains as somebody joins', [['start_raining', 0], ['rain_level_change', 1]], true],
  ['Cuberite has sun, which it calls 1', [[1, 0]], false],
  ['Cuberite has rain, which it calls 2', [[2, 0]], true],
  ['something else changes', [[3, 1]], false]
]

for (const [name, packets, rains] of SCENES) {
  test(name, () => {
    const bot = { _client: new EventEmitter() }
    sky(bot)
    for (const [reason, gameMode] of packets) bot._client.emit('game_state_change', { reason, gameMode })
    assert.strictEqual(isRaining(bot), rains)
  })
}

test('another server begins with a clear sky', () => {
  const bot = { _client: new EventEmitter() }
  sky(bot)
  bot._client.emit('game_state_change', { reason: 2, gameMode: 0 })
  bot._client.emit('login', {})
  assert.ok(!isRaining(bot))
})
