'use strict'
// The vanilla spam rule: each line counts 20, each tick takes 1 away, above 200 is a kick.
// The line that goes over is still delivered.

const PER_LINE = 20
const LIMIT = 200
const TICK_MS = 50

/** A counter for one player: call it for every line; true means kick. */
module.exports = function spamRule (nowMs) {
  let level = 0
  let at = nowMs()
  return () => {
    const now = nowMs()
    level = Math.max(0, level - (now - at) / TICK_MS) + PER_LINE
    at = now
    return level > LIMIT
  }
}
