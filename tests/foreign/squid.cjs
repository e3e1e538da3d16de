'use strict'
// npm's flying-squid with its own rules and nothing of ours: {version, port}. Ends when stdin closes.
// {ignores}: by the way that its plugins have, once this player has spoken it takes no notice of what they walk
// and break.
const path = require('node:path')

const host = path.join(__dirname, '..', '..', 'bridge', 'host')
const { load } = require(path.join(host, 'packages.cjs'))
const tell = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr) // its log and its prompt
const { createMCServer } = load('flying-squid')

const { version, port, ignores } = JSON.parse(process.argv[2])
const server = createMCServer({
  version,
  host: '127.0.0.1',
  port: port ?? 0,
  motd: 'a foreign server',
  logging: false,
  'online-mode': false,
  'max-players': 10,
  'max-entities': 100,
  'view-distance': 4,
  'everybody-op': true,
  'player-list-text': { header: '', footer: '' },
  gameMode: 0,
  difficulty: 0,
  kickTimeout: 10_000,
  plugins: {},
  generation: { name: 'superflat', options: { middleThickness: 40 } } // deeper than it lets items fall in one step
})

server.on('newPlayer', player => {
  player.once('chat', () => {
    if (player.username !== ignores) return
    player.on('move_cancel', (step, cancel) => cancel(false))
    player.on('dug_cancel', (dug, cancel) => cancel(false))
  })
})
server._server.on('listening', () => {
  const { port } = server._server.socketServer.address()
  tell(JSON.stringify({ t: 'listening', port }) + '\n')
})
process.stdin.resume().on('end', () => process.exit(0))
