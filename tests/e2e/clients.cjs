'use strict'
// Many players at little cost: clients of the protocol alone, without a world. Reads lines
// {"join": NAME}, {"leave": NAME} and {"from": NAME, "say": TEXT}; writes {"joined": NAME} and
// {"to": NAME, "heard": TEXT} for whispers.
const { createRequire } = require('node:module')
const path = require('node:path')
const readline = require('node:readline')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))
const protocol = load('minecraft-protocol')

const [host, port] = process.argv.slice(2)
const clients = new Map()

const write = fact => process.stdout.write(JSON.stringify(fact) + '\n')
const plain = part => typeof part === 'string' ? part : (part.text ?? '') + (part.extra ?? []).map(plain).join('')

function join (username) {
  const client = protocol.createClient({ host, port: Number(port), username, version: '1.16.5', auth: 'offline' })
  client.once('position', () => write({ joined: username }))
  client.on('chat', ({ message }) => {
    const said = JSON.parse(message)
    if (said.translate === 'commands.message.display.incoming') write({ to: username, heard: plain(said.with[1]) })
  })
  client.on('error', () => {})
  clients.set(username, client)
}

readline.createInterface({ input: process.stdin }).on('line', line => {
  const { join: newcomer, leave, from, say } = JSON.parse(line)
  if (newcomer) join(newcomer)
  if (leave) clients.get(leave).end('leaving')
  if (from) clients.get(from).write('chat', { message: say })
}).on('close', () => process.exit(0))
