'use strict'
// Feeds packets to host/hearing.cjs without a server: reads one JSON object from stdin
// {version, username, players, patterns, packets: [[name, data], ...]} and prints what was heard.
const { EventEmitter } = require('node:events')
const path = require('node:path')

const host = path.join(__dirname, '..', '..', 'bridge', 'host')
const { compile, listen } = require(path.join(host, 'hearing.cjs'))
const { load } = require(path.join(host, 'packages.cjs'))

const { version, username, players, patterns, packets } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const registry = load('prismarine-registry')(version)
if (registry.supportFeature('signedChat')) {
  const { dimensionCodec } = registry.loginPacket
  if (dimensionCodec?.['minecraft:chat_type']) registry.loadDimensionCodec(dimensionCodec['minecraft:chat_type'])
  else registry.loadDimensionCodec(dimensionCodec)
}
const bot = { username, registry, uuidToUsername: players, _client: new EventEmitter() }
const heard = []
listen(bot, compile(patterns), line => heard.push(line))
const types = registry.chatFormattingById ?? {}
for (const [name, data] of packets) {
  const id = Object.keys(types).find(id => types[id].name.replace('minecraft:', '') === data.type)
  bot._client.emit(name, data.type === undefined ? data : { ...data, type: id === undefined ? -1 : Number(id) })
}
process.stdout.write(JSON.stringify(heard))
