'use strict'
// Run by test_hearing.py: what a server says as it throws a bot out, without all data of a version.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const { wordsOf } = require(path.join(__dirname, '..', '..', 'bridge', 'host', 'words.cjs'))

test('a sentence that every client knows is told in English', () => {
  const words = wordsOf('{"translate":"multiplayer.disconnect.duplicate_login"}')
  assert.deepStrictEqual(words, {
    text: 'You logged in from another location',
    key: 'multiplayer.disconnect.duplicate_login'
  })
})

test('a component of NBT is read as one of JSON is', () => {
  const nbt = { type: 'compound', value: { text: { type: 'string', value: 'Go away' } } }
  assert.deepStrictEqual(wordsOf(nbt), { text: 'Go away', key: '' })
})

test('of the newest version nothing is loaded but its sentences', () => {
  wordsOf('{"text":"Go away"}')
  const { latestSupportedVersion } = require(path.join(process.env.TOWNSFOLK_NODE_DIR, 'node_modules', 'mineflayer'))
  const loaded = Object.keys(require.cache).filter(file => file.includes(`/pc/${latestSupportedVersion}/`))
  assert.deepStrictEqual(loaded.map(file => path.basename(file)), ['language.json'])
})

test('no colour code stays, neither of letters nor of six digits', () => {
  const { text } = wordsOf('{"text":"[§x§f§f§0§0§0§0Bob§r -> §AM§Re] 5 § 2"}')
  assert.strictEqual(text, '[Bob -> Me] 5 § 2')
})
