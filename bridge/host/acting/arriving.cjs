'use strict'
// Arriving: a bot is where it went when the server lets it be there,
// and nobody sees it elsewhere.
const { isPlaced, wasPutBack } = require('../confirming.cjs')

const TRIES = 3 // a server in a hurry puts back now and then

/** Carry out `go()` until the server leaves the bot where that led. Fails: unconfirmed. */
async function arrive (bot, signal, go) {
  for (let tries = 0; tries < TRIES; tries++) {
    await go()
    if (await isPlaced(bot, signal)) return
  }
  throw wasPutBack(bot)
}

module.exports = { arrive }
