'use strict'
// Do nothing for a while.
const { pause } = require('../waiting.cjs')

module.exports = async function wait (bot, { seconds }, { signal }) {
  await pause(seconds * 1000, signal)
}
