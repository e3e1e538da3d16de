'use strict'
// What the server says to what a bot did: where it was told the bot is, whether it put the bot
// back, and that it has dealt with all that was sent.
const { ActionFailure } = require('./failure.cjs')
const { nextEvent, pause, until } = require('./waiting.cjs')
const { whereElse } = require('./witnessing.cjs')

const SENDING_MS = 2500 // mineflayer tells the server once a second at least where the bot is
const FRESH_MS = 2000
const EXACT = 0.1 // blocks
const FIRST_MS = 1500 // for the first answer of a server that may never answer
const ANSWER_MS = 10_000
const QUIET_MS = 700 // without an answer: a refusal is here by then
const SILENCE_MS = 5000 // who says nothing for so long does not hear us

/** Mineflayer's plugin: keeps `bot.told` {position, at}, as the server was told last, and
 *  `bot.putBack` {number, where}, how often the server put it somewhere; has `bot` emit `putBack`. */
function confirming (bot) {
  const client = bot._client
  const word = { asked: 0, answered: 0, answers: null }
  bot.word = word
  bot.told = null
  bot.putBack = { number: 0, where: null }
  bot.on('move', () => { bot.told = { position: bot.entity.position.clone(), at: performance.now() } })
  bot.on('forcedMove', () => {
    const where = bot.entity.position.clone()
    bot.putBack = { number: bot.putBack.number + 1, where }
    bot.emit('putBack')
  })
  client.on('statistics', () => {
    word.answers = true
    word.answered = Math.min(word.asked, word.answered + 1)
    bot.emit('answered')
  })
}

/** Wait until the server has dealt with all that the bot sent so far. It does so in turn, and then
 *  answers what comes last: a question for statistics, as vanilla's client asks. Where it never
 *  answers, it gets some time and has to say anything. Fails: unconfirmed. */
async function heardOut (bot, signal) {
  const { word } = bot
  if (word.answers === false) return await quiet(bot, signal)
  const number = ++word.asked
  bot._client.write('client_command', { payload: 'request_stats', actionId: 'request_stats' })
  const options = { on: [[bot, 'answered']], signal, deadlineMs: word.answers ? ANSWER_MS : FIRST_MS }
  if (await until(() => word.answered >= number, options)) return
  word.answered = number
  if (word.answers) throw unconfirmed('the server does not answer')
  word.answers = false
  await quiet(bot, signal)
}

async function quiet (bot, signal) {
  const said = nextEvent(bot._client, 'packet', { signal, deadlineMs: SILENCE_MS })
  const [word] = await Promise.all([said, pause(QUIET_MS, signal)])
  if (!word) throw unconfirmed('the server says nothing')
}

/** Whether the server was told where the bot is, and lets it be there. Who is seen elsewhere is there
 *  from now on. Fails: unconfirmed, where the server or another bot has it elsewhere. */
async function isPlaced (bot, signal) {
  const isTold = () => bot.told && performance.now() - bot.told.at < FRESH_MS &&
    bot.told.position.distanceTo(bot.entity.position) < EXACT
  if (!await until(isTold, { on: [[bot, 'move']], signal, deadlineMs: SENDING_MS })) {
    throw unconfirmed('the server is told nothing of where I am')
  }
  const here = bot.entity.position.clone()
  const { number } = bot.putBack
  bot.walked.uncounted = 0
  await heardOut(bot, signal)
  if (bot.putBack.number !== number) return bot.putBack.where.distanceTo(here) <= 1
  const elsewhere = await whereElse(bot, signal)
  if (elsewhere) throw notTaken(bot, elsewhere)
  return true
}

function notTaken (bot, { by, at, chunk, uncounted }) {
  const blocks = Math.round(uncounted)
  if (uncounted) return unconfirmed(`the server took none of my steps: it counts none of the last ${blocks} blocks`)
  if (!at) return unconfirmed(`the server took none of my steps: it has me in the chunk at ${chunk.x} ${chunk.z}`)
  bot.entity.position.update(at)
  bot.entity.velocity.set(0, 0, 0)
  return unconfirmed(`the server took none of my steps: ${by} sees me at ${blockOf(at)}`, { position: at.toArray() })
}

/** The failure of a bot that the server put back. */
function wasPutBack ({ putBack: { where } }) {
  return unconfirmed(`the server put me back to ${blockOf(where)}`, { position: where.toArray() })
}

function blockOf (place) {
  return place.toArray().map(Math.floor).join(' ')
}

function unconfirmed (message, result) {
  return new ActionFailure('unconfirmed', message, result)
}

module.exports = { confirming, heardOut, isPlaced, wasPutBack }
