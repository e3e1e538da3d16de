'use strict'
// Run by test_server_parts.py: what is sent in one turn of the event loop leaves together.
const assert = require('node:assert')
const { EventEmitter, once } = require('node:events')
const net = require('node:net')
const path = require('node:path')
const { test } = require('node:test')

const sending = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'sending.cjs'))

/** The two ends of a connection; `calls` counts what the server's end hands to the system. */
async function connected () {
  const door = net.createServer().listen(0, '127.0.0.1')
  await once(door, 'listening')
  const client = net.connect(door.address().port, '127.0.0.1')
  const [socket] = await once(door, 'connection')
  door.close()
  const serv = { _server: new EventEmitter() }
  sending(serv)
  serv._server.emit('connection', { socket })
  const calls = []
  for (const name of ['_write', '_writev']) {
    const hand = socket[name]
    socket[name] = function (...args) {
      calls.push(name)
      return hand.apply(this, args)
    }
  }
  return { client, socket, calls }
}

async function heard (client) {
  const parts = []
  for await (const part of client) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('many packets of one turn are one call', async () => {
  const { client, socket, calls } = await connected()
  for (let i = 0; i < 50; i++) socket.write(`${i} `)
  setTimeout(() => socket.end('end'), 20)
  assert.strictEqual(await heard(client), `${[...Array(50).keys()].join(' ')} end`)
  assert.deepStrictEqual(calls.slice(0, 1), ['_writev'])
  assert.ok(calls.length <= 2, calls.join())
})

test('the last words before the end arrive', async () => {
  const { client, socket } = await connected()
  socket.write('You are kicked. ')
  socket.end('Goodbye.')
  assert.strictEqual(await heard(client), 'You are kicked. Goodbye.')
})

test('each turn has its own', async () => {
  const { client, socket, calls } = await connected()
  const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  for (const words of ['a', 'b', 'c']) {
    socket.write(words)
    await turn()
  }
  socket.end()
  assert.strictEqual(await heard(client), 'abc')
  assert.strictEqual(calls.length, 3)
})
