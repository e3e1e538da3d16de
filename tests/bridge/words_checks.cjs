'use strict'
// Run by test_checks_in_node.py: what a server says as it throws a bot out, without all data of a version.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { hindrance } = require(path.join(HOST, 'actions', 'sleep.cjs'))
const { wordsOf } = require(path.join(HOST, 'words.cjs'))

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

test('why a bed is refused is told by a key, or in words where no player writes', () => {
  const inWords = words => ({ toString: () => words })
  const why = (line, isServers) => hindrance(line, isServers)?.why
  assert.equal(why({ translate: 'block.minecraft.bed.occupied' }), 'occupied')
  assert.equal(why(inWords('This bed is occupied'), true), 'occupied')
  assert.equal(why(inWords('You may not rest now, there are monsters nearby'), true), 'monsters')
  assert.equal(why(inWords('This bed is occupied')), undefined)
})
