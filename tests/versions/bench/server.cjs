'use strict'
// A server of any version that Mineflayer speaks, as test equipment: it says what vanilla, Paper,
// Spigot or a chat plugin would say in that version's packets, and tells what it was told.
//
//   node server.cjs '{"version": "1.21.4"}'      one JSON object a line on stdin and stdout
//
// Both ends use minecraft-protocol: a packet that minecraft-data describes wrongly is wrong on
// both sides and stays unseen. Crafting and containers are not served.
const readline = require('node:readline')
const arriving = require('./arriving.cjs')
const { orders } = require('./orders.cjs')
const { load } = require('./packages.cjs')
const { Players } = require('./players.cjs')
const refusing = require('./refusing.cjs')
const { damageTypes } = require('./dying.cjs')
const { chatTypes } = require('./talking.cjs')
const { textWriter } = require('./text.cjs')
const { World } = require('./world.cjs')

const DEFAULTS = { brand: 'vanilla', port: 0, cast: false }

const config = { ...DEFAULTS, ...JSON.parse(process.argv[2]) }
const data = load('prismarine-registry')(config.version)
const server = refusing.createServer(config, data, tell)
const scene = {
  data,
  config,
  server,
  tell,
  text: textWriter(data),
  chatTypes: chatTypes(data, config.brand),
  damageTypes: damageTypes(data),
  world: new World(data, !config.cast)
}
const players = new Players(scene)
const ops = orders(scene, players)

server.on('listening', () => tell({ t: 'listening', port: server.socketServer.address().port }))
server.on('login', client => {
  if (data.supportFeature('hasConfigurationState')) arriving.configure(client, scene)
})
server.on('playerJoin', client => players.joined(client))

readline.createInterface({ input: process.stdin }).on('line', obey).on('close', () => process.exit(0))
process.on('uncaughtException', error => tell({ t: 'fault', message: error.stack }))

function obey (line) {
  const { op, n, ...fields } = JSON.parse(line)
  try {
    ops[op](fields)
    tell({ t: 'done', n })
  } catch (error) {
    tell({ t: 'failed', n, message: error.message })
  }
}

function tell (message) {
  process.stdout.write(JSON.stringify(message) + '\n')
}
