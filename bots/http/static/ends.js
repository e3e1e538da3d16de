// @ts-check
// How jobs ended: what was begun on this page, and goals that failed, with the reason.

/** @typedef {import('./stream.js').TraceEvent} TraceEvent */
/** @typedef {{success: boolean, reason?: string, message?: string, missing?: {item: string, need: number, have: number, why: string}[]} & Record<string, any>} Result */

const MOST = 200

/** @type {Map<string, TraceEvent>} */
const ends = new Map()
/** @type {Map<string, (result: Result) => void>} */
const awaited = new Map()

/** @param {TraceEvent} event */
export function take (event) {
  if (event.name !== 'job.finished') return
  ends.set(event.actionId, event)
  awaited.get(event.actionId)?.(event.result)
  awaited.delete(event.actionId)
  const oldest = ends.keys().next().value
  if (ends.size > MOST && oldest !== undefined) ends.delete(oldest)
}

/**
 * The result of a job, once it has ended.
 * @param {string} actionId
 * @returns {Promise<Result>}
 */
export function endOf (actionId) {
  const known = ends.get(actionId)
  return known ? Promise.resolve(known.result) : new Promise(resolve => awaited.set(actionId, resolve))
}

/** Goals that were not reached, the last first. */
export function failedGoals () {
  return [...ends.values()]
    .filter(({ command, result }) => /^!goal\b/.test(command) && !result.success && result.reason !== 'replaced')
    .reverse()
}
