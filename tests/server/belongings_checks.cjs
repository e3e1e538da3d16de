'use strict'
// Run by test_checks_in_node.py: nothing is lost of what a player has who comes back at once.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const belongings = require(path.join(SERVER, 'belongings.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))

test('a file that is being written is read once it is whole', async () => {
  const store = load('flying-squid/src/lib/playerDat')
  let file = 'half'
  let ends
  store.read = async () => file
  const serv = new EventEmitter()
  belongings(serv, null, { worldFolder: '/nowhere' })
  const player = { save: () => new Promise(resolve => { ends = resolve }) }
  serv.emit('newPlayer', player)
  const saved = player.save()
  const read = store.read('uuid')
  await new Promise(resolve => setImmediate(resolve))
  file = 'whole'
  ends()
  await saved
  assert.strictEqual(await read, 'whole')
})
