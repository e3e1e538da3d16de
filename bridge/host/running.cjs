'use strict'
// Runs actions: one at a time for each bot, each with a deadline, each ended by exactly one
// `finished` event, which is sent only when nothing of the action is left behind.
const { ActionFailure, Ended } = require('./failure.cjs')
const sight = require('./sight.cjs')
const { abortable, settles, until } = require('./waiting.cjs')
const { vector } = require('./acting/reach.cjs')
const { standStill } = require('./acting/stillness.cjs')
const windows = require('./acting/windows.cjs')

const load = (folder, kinds) =>
  new Map(kinds.map(kind => [kind, require(`./${folder}/${kind}.cjs`)]))

const ACTIONS = load('actions', [
  'move_to', 'approach', 'follow', 'look_at', 'wait', 'dig', 'place', 'collect_drops', 'craft',
  'smelt', 'open_container', 'deposit', 'withdraw', 'close_container', 'equip', 'take_off', 'eat', 'toss',
  'pillar', 'hunt', 'attack', 'shoot', 'use_on', 'fill', 'pour', 'till', 'fish', 'jump', 'sleep'
])
const QUERIES = load('queries', [
  'find_blocks', 'block_at', 'read_catalogue', 'scan_blocks', 'behold', 'read_recipes',
  'footholds', 'lying_items', 'opened_container', 'whereabouts', 'read_region', 'player_gear'
])

// Clicks go to whatever window is open, so every other action puts an open container away first.
const BESIDE_A_CONTAINER = new Set(['deposit', 'withdraw', 'close_container', 'look_at', 'wait'])

// Together they keep a cancel within 250 ms, however slow the server answers.
const GRACE_MS = 180 // for the action to leave its last click and tidy up; it may go on after that
const CLOSING_MS = 50 // for the server to confirm a closed container

const REVIVAL_MS = 10_000 // for the server to let a dead bot live again

// The next action waits this long for the one before to be gone: mineflayer gives up a click at 5 s.
const LINGERING_MS = 6000

const runs = new WeakMap() // bot -> the newest run

/** Start an action: {id, action, deadline_s, shunned}. One under way ends first, as `replaced`. */
function begin (host, bot, { id, action, deadline_s: deadlineS, shunned }) {
  const perform = known(ACTIONS, action.kind)
  const previous = runs.get(bot)
  const run = { id, action, perform, shunned, controller: new AbortController(), gone: null }
  runs.set(bot, run)
  previous?.controller.abort(new Ended('replaced'))
  run.ended = carryOut(host, bot, run, deadlineS, previous)
  return null
}

/** End the action under way and close an open container; the action's id or null. */
async function cancel (host, bot) {
  const run = await stop(bot, new Ended('cancelled'))
  await settles(closeKeptAfter(bot, run), CLOSING_MS)
  return run?.id ?? null
}

/** The bot left the world: its action ends as `disconnected`. */
async function leave (host, bot) {
  await stop(bot, new Ended('disconnected'))
  windows.forget(bot)
}

/** Whether an action is under way. */
function isBusy (bot) {
  return runs.has(bot)
}

/** Answer {query} at once; each kind has its own form. */
async function query (host, bot, { query: question }) {
  return await known(QUERIES, question.kind)(bot, question)
}

function known (table, kind) {
  const found = table.get(kind)
  if (!found) throw new Error(`unknown kind ${kind}`)
  return found
}

async function stop (bot, why) {
  const run = runs.get(bot)
  run?.controller.abort(why)
  await run?.ended
  return run
}

async function closeKeptAfter (bot, run) {
  await run?.gone
  await windows.closeKept(bot)
}

async function carryOut (host, bot, run, deadlineS, previous) {
  const { controller } = run
  const timer = setTimeout(() => controller.abort(new Ended('deadline')), deadlineS * 1000)
  const onDeath = () => controller.abort(died(bot))
  bot.once('death', onDeath)
  await previous?.ended
  await settles(Promise.resolve(previous?.gone), LINGERING_MS)
  const ending = await attempt(host, bot, run)
  clearTimeout(timer)
  bot.removeListener('death', onDeath)
  if (runs.get(bot) === run) runs.delete(bot)
  host.emit({ t: 'finished', bot: bot.username, at: Date.now(), action: run.id, ...ending })
}

async function attempt (host, bot, run) {
  const { signal } = run.controller
  const work = undertake(host, bot, run)
  run.gone = tidied(bot, work)
  await untilGone(run.gone, signal)
  standStill(bot)
  return signal.aborted ? endedBy(signal.reason) : await work.then(done, error => failed(bot, error))
}

async function undertake (host, bot, { id, action, perform, shunned, controller: { signal } }) {
  signal.throwIfAborted()
  if (!BESIDE_A_CONTAINER.has(action.kind)) await windows.closeKept(bot)
  const progress = (done, total) =>
    host.emit({ t: 'progress', bot: bot.username, at: Date.now(), action: id, done, total })
  const coming = sight.ofAction(bot, action)
  if (coming) await abortable(coming, signal)
  await alive(bot, signal)
  bot.shunned = shunned.map(vector) // wherever the action walks
  return await perform(bot, action, { signal, progress })
}

// The dead do nothing, and what they believe to have done nobody has seen.
async function alive (bot, signal) {
  const on = [[bot, 'spawn']]
  const lives = await until(() => !isDead(bot), { on, signal, deadlineMs: REVIVAL_MS })
  if (!lives) throw new ActionFailure('died', 'the bot is dead')
}

// After a respawn mineflayer calls a bot not alive until its next health.
function isDead ({ isAlive, health }) {
  return !isAlive && !(health > 0)
}

async function tidied (bot, work) {
  await work.catch(() => {})
  await settles(windows.closeOthers(bot), CLOSING_MS)
}

// An action that was ended early is awaited for a short while only; the next action waits until
// the rest is tidied up.
function untilGone (gone, signal) {
  return new Promise(resolve => {
    const onAbort = () => settles(gone, GRACE_MS).then(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    gone.then(() => signal.removeEventListener('abort', onAbort)).then(resolve)
    if (signal.aborted) onAbort()
  })
}

function died ({ entity: { position: { x, y, z } } }) {
  return new Ended('failed', 'the bot died', 'died', { position: [x, y, z] })
}

function done (result) {
  return { outcome: 'done', reason: null, message: '', result: result ?? {} }
}

function failed (bot, error) {
  const { reason, message, result } = error instanceof ActionFailure
    ? error
    : { reason: 'internal', message: plainly(String(error?.message ?? error)), result: {} }
  const said = reason === 'blocked' ? bot.answers?.saidOfWork() : ''
  if (!said) return { outcome: 'failed', reason, message, result }
  return { outcome: 'failed', reason, message: `${message}: “${said}”`, result: { ...result, said } }
}

// What mineflayer says of a click that the server neither takes nor refuses.
function plainly (message) {
  const isUnanswered = /^Server didn't respond to transaction/.test(message)
  return isUnanswered ? 'the server does not answer my clicks in the inventory' : message
}

function endedBy ({ outcome, message, reason, result }) {
  return { outcome, reason, message, result }
}

module.exports = { begin, cancel, isBusy, leave, query }
