'use strict'
// Tells Python twice a second that this process lives, and how it does.

const BEAT_MS = 500

/** Start beating: `send(message)` gets each beat, `queued()` says how many messages wait. */
function start (send, queued) {
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    const lag = Math.max(0, Math.round(now - last - BEAT_MS))
    last = now
    send({ t: 'heartbeat', rss: process.memoryUsage.rss(), queued: queued(), lag_ms: lag })
  }, BEAT_MS)
}

module.exports = { start }
