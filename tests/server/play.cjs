'use strict'
// Plays named scenarios with real Mineflayer clients against a running server.
// argv: the server's port. stdin: one scenario name a line, or the answer to something asked.
// stdout, one JSON a line: {"ask": {id, op, ...}} asks the caller to run an admin operation;
// {"name", "ok", "facts" | "error"} ends a scenario. Facts are judged by the caller.

const readline = require('node:readline')
const { createRequire } = require('node:module')
const path = require('node:path')
const stage = require('./play/stage.cjs')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))
const SCENARIOS = Object.assign(
  {},
  ...['talk', 'join', 'craft', 'store', 'dig', 'live', 'graze', 'angle', 'harm', 'monsters', 'loose'].map(file => require(`./play/${file}.cjs`))
)

const asked = new Map()
let lastId = 0
const write = message => process.stdout.write(`@@${JSON.stringify(message)}\n`)

function admin (op, args = {}) {
  const id = ++lastId
  write({ ask: { id, op, ...args } })
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }))
}

function settle ({ id, ok, error }) {
  const { resolve, reject } = asked.get(id)
  asked.delete(id)
  if (error) reject(new Error(error))
  else resolve(ok)
}

async function play (name) {
  const world = stage(load, Number(process.argv[2]), admin)
  try {
    const facts = await SCENARIOS[name](world)
    write({ name, ok: true, facts, faults: world.faults })
  } catch (error) {
    write({ name, ok: false, error: error.stack, faults: world.faults })
  } finally {
    await world.clear()
  }
}

// What a scene that failed no longer waits for
process.on('unhandledRejection', error => console.error(error.message))

let queue = Promise.resolve()
readline.createInterface({ input: process.stdin }).on('line', line => {
  if (line[0] === '{') settle(JSON.parse(line))
  else queue = queue.then(() => play(line))
}).on('close', () => process.exit(0))
