'use strict'
// Waits that always end: by what they wait for, by a deadline or by an abort. Whichever comes
// first, the timer and every listener are gone afterwards.

function wait ({ signal, deadlineMs, emitters, check }) {
  return new Promise((resolve, reject) => {
    const onEvent = (...args) => settle(check, args)
    const onAbort = () => finish(reject, signal.reason)
    const timer = setTimeout(() => finish(resolve, null), deadlineMs)
    function finish (end, value) {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      for (const [emitter, event] of emitters) emitter.removeListener(event, onEvent)
      end(value)
    }
    function settle (test, args) {
      try {
        const value = test(...args)
        if (value) finish(resolve, value)
      } catch (error) { // thrown inside emit() it would break the emitter: the socket's reader
        finish(reject, error)
      }
    }
    for (const [emitter, event] of emitters) emitter.on(event, onEvent)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}

/** Sleep. Rejects with the signal's reason when it is aborted. */
async function pause (ms, signal) {
  await wait({ signal, deadlineMs: ms, emitters: [], check: () => false })
}

/** Wait until `condition()` holds, looking now and at each of `on`: [[emitter, event], ...].
 *  Resolves to its value, or to null at the deadline. */
async function until (condition, { on, signal, deadlineMs }) {
  signal?.throwIfAborted()
  return condition() || await wait({ signal, deadlineMs, emitters: on, check: () => condition() })
}

/** Wait for one event that `accept`s; resolves to its arguments, or to null at the deadline. */
function nextEvent (emitter, event, { signal, deadlineMs, accept = () => true }) {
  const check = (...args) => accept(...args) && args
  return wait({ signal, deadlineMs, emitters: [[emitter, event]], check })
}

/** The promise, unless the signal is aborted first; the promise then runs on unheard. */
async function abortable (promise, signal) {
  promise.catch(() => {})
  signal.throwIfAborted()
  let onAbort
  const aborted = new Promise((resolve, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether the promise settled, well or badly, within the time. */
async function settles (promise, ms) {
  let timer
  const late = new Promise(resolve => { timer = setTimeout(resolve, ms, false) })
  const settled = promise.then(() => true, () => true)
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = { abortable, nextEvent, pause, settles, until }
