'use strict'
// The host: takes batches of commands from Python and pushes events to it. Every crossing is
// JSON text, returns at once and never throws, so no bridge call can time out or fail.
const streams = require('./streams.cjs')
streams.keepClean()
require('./lean.cjs')
require('./chunks.cjs')
require('./names.cjs').nameAnew()

const { Bots } = require('./bots.cjs')
const { glance } = require('./glancing.cjs')
const { compile } = require('./hearing.cjs')
const heartbeat = require('./heartbeat.cjs')
const { owner } = require('./life.cjs')
const { Outbox } = require('./outbox.cjs')
const { asReply } = require('./refusal.cjs')
const running = require('./running.cjs')
const sight = require('./sight.cjs')
const { snapshot } = require('./snapshot.cjs')
const speaking = require('./speaking.cjs')

const EXIT_MS = 400 // for the bots to leave and Python to hear of it

const host = { emit: event => outbox.emit(event) }
let outbox, bots

const ops = {
  spawn: (name, args) => bots.spawn(name, args),
  despawn: name => bots.despawn(name),
  snapshot: (name, args) => inSight(sight.ofSnapshot, name, args, bot => snapshot(bot, args)),
  whisper: (name, args) => speaking.whisper(bots.get(name), args),
  chat: (name, args) => speaking.chat(bots.get(name), args),
  begin: (name, args) => running.begin(host, bots.get(name), args),
  cancel: name => running.cancel(host, bots.get(name)),
  glance: (name, args) => glance(bots.get(name), args),
  query: (name, args) => inSight(sight.ofQuery, name, args, bot => running.query(host, bot, args)),
  see: (name, args) => sight.see(bots.get(name), args),
  pause: name => bots.life(name).pause('asked'),
  resume: name => bots.life(name).resume('asked'),
  shutdown: () => { exit() }
}

/** Look at once, or when what it looks at has come. */
function inSight (awaited, name, args, look) {
  const coming = awaited(bots.get(name), args)
  return coming ? coming.then(() => look(bots.get(name))) : look(bots.get(name))
}

/** Begin to push. `push(text)` resolves to how many events wait unread in Python. */
function start (push, settings) {
  const lines = compile(JSON.parse(settings))
  outbox = new Outbox({
    push,
    onFlood: (name, is) => is ? bots.pause(name, 'flood') : bots.resume(name, 'flood'),
    onError: error => streams.logError('push', error)
  })
  const onLeave = bot => running.leave(host, bot)
  bots = new Bots({ ...host, onLeave, lines })
  if (process.env.TOWNSFOLK_HOST_PROBES === '1') {
    Object.assign(ops, require('./probes.cjs')({ bots, outbox }))
  }
  heartbeat.start(message => outbox.reply(message), () => outbox.length)
}

/** Run a batch of commands; returns the replies of those that are done, others follow. */
function submit (batch) {
  const replies = []
  for (const command of JSON.parse(batch)) {
    const reply = run(command)
    if (reply) replies.push(reply)
  }
  return `[${replies.join(',')}]`
}

function run ({ id, op, bot, args }) {
  try {
    const value = (ops[op] ?? unknown(op))(bot, args)
    if (typeof value?.then !== 'function') return text({ t: 'reply', id, ok: value })
    value.then(ok => outbox.reply({ t: 'reply', id, ok })).catch(error => {
      outbox.reply({ t: 'reply', id, error: asReply(error) })
    })
    return null
  } catch (error) {
    return text({ t: 'reply', id, error: asReply(error) })
  }
}

function unknown (op) {
  throw new Error(`unknown operation ${op}`)
}

function text (reply) {
  return JSON.stringify(reply)
}

// --- the process: it ends when Python does, however Python ends --------------

function exit () {
  setTimeout(() => process.exit(0), EXIT_MS)
  bots?.leave().then(() => outbox.drained()).then(() => process.exit(0))
}

function survive (error) {
  streams.logError('uncaught', error)
  owner.getStore()?.crashed(error)
}

process.on('uncaughtException', survive)
process.on('unhandledRejection', survive)
// Ctrl-C, a closed terminal and a service's end reach the whole group; Python ends us in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
for (const event of ['end', 'close']) process.stdin.on(event, exit)

module.exports = { start, submit }
