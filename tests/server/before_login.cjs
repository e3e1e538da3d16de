'use strict'
// What reaches a player who is on the list of players and was not sent the login yet: prints the
// names of the packets, in order.
const { EventEmitter } = require('node:events')
const path = require('node:path')

const join = require(path.join(__dirname, '..', '..', 'bridge', 'server', 'join.cjs'))

const packets = []
const client = { username: 'Steve', write (name) { packets.push(name) } }
const player = Object.assign(new EventEmitter(), { _client: client, login: async () => {} })
const serv = Object.assign(new EventEmitter(), {
  players: [player],
  broadcast () {},
  _writeArray (name, fields, players) { players.forEach(one => one._client.write(name, fields)) }
})
join(serv, {}, new Set())
serv.emit('newPlayer', player)
serv._writeAll('entity_status', {})
serv._writeArray('entity_equipment', {}, [player])
client.write('login', {})
serv._writeAll('collect', {})
process.stdout.write(JSON.stringify(packets))
