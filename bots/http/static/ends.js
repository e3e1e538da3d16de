// @ts-check
// How jobs ended: what was begun on this page, and goals that failed, with the reason.

/** @typedef {import('./stream.js').TraceEvent} TraceEvent */
/** @typedef {{success: boolean, reason?: string, message?: string, missing?: {item: string, need: number, have: number, why: string}[]} & Record<string, any>} Result */

const MOST = 200

/** By bot and job: each daemon counts its own jobs. @type {Map<string, TraceEvent>} */
const ends = new Map()
/** @type {Map<string, (result: Result) => void>} */
const awaited = new Map()

/** @param {TraceEvent} event */
export function take (event) {
  if (event.name !== 'job.finished') return
  const job = `${event.bot} ${event.actionId}`
  ends.set(job, event)
  awaited.get(job)?.(event.result)
  awaited.delete(job)
  const oldest = ends.keys().next().value
  if (ends.size > MOST && oldest !== undefined) ends.delete(oldest)
}

/**
 * The result of a job, once it has ended.
 * @param {string} bot
 * @param {string} actionId
 * @returns {Promise<Result>}
 */
export function endOf (bot, actionId) {
  const job = `${bot} ${actionId}`
  const known = ends.get(job)
  return known ? Promise.resolve(known.result) : new Promise(resolve => awaited.set(job, resolve))
}

/** Goals that were not reached, the last first. */
export function failedGoals () {
  return [...ends.values()]
    .filter(({ command, result }) => /^!goal\b/.test(command) && !result.success && result.reason !== 'replaced')
    .reverse()
}
