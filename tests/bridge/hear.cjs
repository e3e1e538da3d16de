'use strict'
// Feeds packets to host/hearing.cjs without a server: reads one JSON object a line from stdin
// {version, username, players, settings, sent: [[to, text], ...], packets: [[name, data], ...],
// chatType: {name, formatString, parameters} of a server's own} and
// writes a line with what was heard after these lines were sent.
const { EventEmitter } = require('node:events')
const path = require('node:path')
const readline = require('node:readline')

const host = path.join(__dirname, '..', '..', 'bridge', 'host')
const { Hearing, compile } = require(path.join(host, 'hearing.cjs'))
const { load } = require(path.join(host, 'packages.cjs'))

function hear ({ version, username, players, settings, sent, packets, chatType }) {
  const registry = load('prismarine-registry')(version)
  if (registry.supportFeature('signedChat')) {
    const codec = registry.loginPacket.dimensionCodec // from 1.20.5 on in parts
    registry.loadDimensionCodec(codec['minecraft:chat_type'] ?? codec)
  }
  const listed = Object.fromEntries(Object.values(players).map(name => [name, {}]))
  const bot = { username, registry, uuidToUsername: players, players: listed, _client: new EventEmitter() }
  const heard = []
  const answers = Hearing.listen(bot, compile(settings), line => heard.push(line))
  for (const [to, text] of sent) answers.expect(to, text)
  const types = registry.chatFormattingById ?? {}
  if (chatType) types[900] = chatType
  for (const [name, data] of packets) {
    const named = id => types[id].name.replace('minecraft:', '') === data.type
    if (data.type !== undefined) data.type = Number(Object.keys(types).find(named) ?? -1)
    bot._client.emit(name, data)
  }
  return heard
}

readline.createInterface({ input: process.stdin })
  .on('line', line => process.stdout.write(JSON.stringify(hear(JSON.parse(line))) + '\n'))
