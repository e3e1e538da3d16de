'use strict'
// A person without a world, who hears what the server tells of all. Reads lines
// {"to": NAME, "say": TEXT}; writes {"came": NAME}, {"went": NAME} and {"from": NAME, "heard": TEXT}.
const { createRequire } = require('node:module')
const path = require('node:path')
const readline = require('node:readline')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))
const protocol = load('minecraft-protocol')

const INCOMING = 'commands.message.display.incoming'
const PASSING = { 'multiplayer.player.joined': 'came', 'multiplayer.player.left': 'went' }
const ANSWERS_WITHIN_MS = 120000 // on a busy machine

const write = fact => process.stdout.write(JSON.stringify(fact) + '\n')
const plain = part => typeof part === 'string' ? part : (part.text ?? '') + (part.extra ?? []).map(plain).join('')

const client = protocol.createClient({ ...JSON.parse(process.argv[2]), auth: 'offline', checkTimeoutInterval: ANSWERS_WITHIN_MS })
client.once('position', () => write({ ready: true }))
client.on('chat', ({ message }) => {
  const { translate, with: words = [] } = JSON.parse(message)
  if (translate === INCOMING) write({ from: plain(words[0]), heard: plain(words[1]) })
  if (translate in PASSING) write({ [PASSING[translate]]: plain(words[0]) })
})
client.on('error', error => console.error(error))
client.on('end', () => process.exit(0))

readline.createInterface({ input: process.stdin }).on('line', line => {
  const { to, say } = JSON.parse(line)
  client.write('chat', { message: `/tell ${to} ${say}` })
}).on('close', () => process.exit(0))
