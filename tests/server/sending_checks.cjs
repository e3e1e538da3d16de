'use strict'
// Run by test_checks_in_node.py: what many are sent is put into bytes once, what is sent in one turn of
// the event loop leaves together, and whoever does not read is thrown out.
const assert = require('node:assert')
const { EventEmitter, once } = require('node:events')
const net = require('node:net')
const path = require('node:path')
const { PassThrough } = require('node:stream')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const sending = require(path.join(SERVER, 'sending.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { createSerializer, createDeserializer, states } = load('minecraft-protocol')

/** The two ends of a connection; `calls` counts what the server's end hands to the system. */
async function connected () {
  const door = net.createServer().listen(0, '127.0.0.1')
  await once(door, 'listening')
  const client = net.connect(door.address().port, '127.0.0.1')
  const [socket] = await once(door, 'connection')
  door.close()
  const serv = { _server: new EventEmitter() }
  sending(serv)
  serv._server.emit('connection', { socket, username: 'Steve' })
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

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

async function heard (client) {
  const parts = []
  for await (const part of client) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('many packets of one turn are one piece', async () => {
  const { client, socket, calls } = await connected()
  for (let i = 0; i < 50; i++) socket.write(`${i} `)
  setTimeout(() => socket.end('end'), 20)
  assert.strictEqual(await heard(client), `${[...Array(50).keys()].join(' ')} end`)
  assert.strictEqual(calls[0], '_write') // and not _writev, of fifty pieces that each take room
  assert.ok(calls.length <= 2, calls.join())
})

test('the last words before the end arrive', async () => {
  const { client, socket } = await connected()
  socket.write('You are kicked. ')
  socket.end('Goodbye.')
  assert.strictEqual(await heard(client), 'You are kicked. Goodbye.')
})

test('who asks is told that its packet has left, or why not', async () => {
  const { client, socket } = await connected()
  client.on('error', () => {}).resume()
  const asked = words => new Promise(resolve => socket.write(words, 'latin1', resolve))
  assert.ifError(await asked('a'))
  const late = asked('b')
  socket.destroy()
  assert.strictEqual((await late).code, 'ERR_STREAM_DESTROYED')
})

test('each turn has its own', async () => {
  const { client, socket, calls } = await connected()
  for (const words of ['a', 'b', 'c']) {
    socket.write(words)
    await turn()
  }
  socket.end()
  assert.strictEqual(await heard(client), 'abc')
  assert.strictEqual(calls.length, 3)
})

test('whoever does not read is thrown out before the server holds much for it', async context => {
  const said = context.mock.method(console, 'error', () => {})
  const { client, socket } = await connected()
  client.pause()
  client.on('error', () => {}) // it is cut off
  context.after(() => [socket, client].forEach(end => end.destroy()))
  const packets = new PassThrough() // as minecraft-protocol does: it waits where its socket is full
  packets.pipe(socket)
  let sent = 0
  while (!socket.destroyed && sent < 64e6) {
    packets.write(Buffer.alloc(30_000))
    sent += 30_000
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.ok(socket.destroyed)
  assert.ok(sent < 32e6, String(sent)) // what the system itself holds counts too
  assert.match(said.mock.calls[0].arguments[0], /^\[Steve\] reads too slowly: \d+ bytes wait/)
  assert.strictEqual(said.mock.calls.length, 1)
})

test('whoever reads gets more than may wait', async () => {
  const { client, socket } = await connected()
  const all = heard(client)
  for (let i = 0; i < 1000; i++) {
    socket.write(Buffer.alloc(30_000, 'x'))
    await turn()
    if (socket.writableLength > 1e6) await once(socket, 'drain')
  }
  socket.end()
  assert.strictEqual((await all).length, 30e6)
})

const PLAY = { state: states.PLAY, version: '1.16.5' }
const MOVE = { entityId: 7, dX: 10, dY: 0, dZ: -10, onGround: true }

function crowd (size) {
  const serializer = createSerializer({ ...PLAY, isServer: true })
  const encode = serializer.createPacketBuffer.bind(serializer)
  const seen = { encoded: 0, got: [] }
  serializer.createPacketBuffer = packet => {
    seen.encoded++
    return encode(packet)
  }
  const players = Array.from({ length: size }, () => ({ _client: { serializer, writeRaw: bytes => seen.got.push(bytes) } }))
  const serv = { _server: new EventEmitter() }
  sending(serv)
  return { seen, tell: (name, fields) => serv._writeArray(name, fields, players) }
}

test('each gets the packet, which is put into bytes once', () => {
  const { seen, tell } = crowd(3)
  tell('rel_entity_move', MOVE)
  assert.deepStrictEqual([seen.encoded, seen.got.length], [1, 3])
  const { data } = createDeserializer({ ...PLAY, isServer: false }).parsePacketBuffer(seen.got[2])
  assert.deepStrictEqual(data, { name: 'rel_entity_move', params: MOVE })
})

test('where nobody is, nothing is put into bytes', () => {
  const { seen, tell } = crowd(0)
  tell('rel_entity_move', MOVE)
  assert.strictEqual(seen.encoded, 0)
})
