'use strict'
// Long looking in short slices, so that other bots get their turn.
const { setImmediate: breath } = require('node:timers/promises')

const SLICE_MS = 8

/** Call it often: null, or when a slice is over a promise that gives way. */
function slices () {
  let since = performance.now()
  return function giveWay () {
    if (performance.now() - since < SLICE_MS) return null
    return breath().then(() => { since = performance.now() })
  }
}

module.exports = { slices }
