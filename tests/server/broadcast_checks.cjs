'use strict'
// Run by test_server_parts.py: what many are told is put into bytes once, as for one alone.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const broadcast = require(path.join(SERVER, 'broadcast.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { createSerializer, createDeserializer, states } = load('minecraft-protocol')

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
  const serv = {}
  broadcast(serv)
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
