// @ts-check
// All that the page shows: what the daemon answered, and what the stream has told since.
import { get } from './api.js'

/** @typedef {import('./stream.js').TraceEvent} TraceEvent */
/** @typedef {{name: string, state: string, advice: string | null, doing: string[], job: any, goal: string | null, talk: number | string | null, daemon?: string}} Bot */
/** @typedef {{key: string, at: string, kind: 'said' | 'did', by: string, to: string[], text: string, where: '' | 'aloud' | 'talk', talk?: number | string, failed?: boolean}} Line */
/** @typedef {{name: string, x: number, y: number, z: number, yaw?: number, dimension: string, health?: number, food?: number, held?: string | null}} Place */
/** @typedef {{name: string, rule: string, dimension: string, west: number, north: number, east: number, south: number, within: number, saidBy: string}} Area */
/** @typedef {{at: string, timeOfDay: number | null, hearingRange: number, bots: Place[], people: Place[], areas?: Area[]}} Positions */
/** @typedef {TraceEvent & {id: number | string, approved: boolean}} Decision */
/** @typedef {'bots' | 'talks' | 'budget' | 'load'} Asked */
/** @typedef {'connection' | 'bots' | 'talks' | 'budget' | 'load' | 'lines' | 'decisions' | 'positions'} Part */
/** @typedef {{talk: number | string, topic: string, participants: {name: string, kind: string}[], speaking: string | null}} Talk */

const MOST_LINES = 1000
const MOST_DECISIONS = 300
const MOST_STEPS_OF_A_TRAIL = 60
const LEAST_REST_MS = 50
const LONGEST_REST_MS = 500
const REST_TO_WORK = 4 // drawing takes no more than a fifth of the time, however slow the machine is
const SLOWER = 1.25 // how much longer than the last one a drawing counts: one may have waited for other programs

/** @type {Part[]} */
const PARTS = ['connection', 'bots', 'talks', 'budget', 'load', 'lines', 'decisions', 'positions']

/**
 * What is no stream is asked for again soon after an event that may have changed it, and then not
 * before this has passed.
 * @type {Record<Asked, {after: RegExp, everyMs: number}>}
 */
const ASKED = {
  bots: { after: /^(connection|job|goal|talk|health|command|bridge)\./, everyMs: 1000 },
  talks: { after: /^(talk|speaker)\./, everyMs: 500 },
  budget: { after: /^decision\.made$/, everyMs: 2000 },
  load: { after: /^part\.ended$/, everyMs: 2000 }
}
const ALL_ASKED = /** @type {Asked[]} */ (Object.keys(ASKED))
const SOON_MS = 150

export class Store {
  /** @type {Bot[]} */ bots = []
  /** @type {Talk[]} */ talks = []
  /** @type {Line[]} */ lines = []
  /** Which daemon of a cluster answers this page. @type {string | null} */ daemon = null
  /** @type {Map<number | string, Decision>} */ decisions = new Map()
  /** @type {Positions | null} */ positions = null
  /** @type {Map<string, [number, number][]>} */ trails = new Map()
  /** @type {any} */ budget = null
  /** Parts of the daemon that failed while the rest goes on. @type {string[]} */ ended = []
  /** @type {string | null} */ chosen = null
  isConnected = false
  skipped = 0

  /** @type {{draw: (stale: Set<Part>) => void, parts: Part[]}[]} */ #watchers = []
  /** What has changed since it was drawn. @type {Set<Part>} */ #stale = new Set()
  /** @type {Set<string>} */ #names = new Set()
  #willDraw = false
  #notBefore = 0
  #workMs = LEAST_REST_MS / REST_TO_WORK
  /** When each was asked for, or will be. @type {Map<string, number>} */ #asked = new Map()

  constructor () {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return
      this.ask()
      this.changed()
    })
  }

  /**
   * Call `draw` soon after a change of any of these parts, several times a second, with what changed.
   * @param {(stale: Set<Part>) => void} draw
   * @param {Part[]} [parts]
   */
  watch (draw, parts = PARTS) {
    this.#watchers.push({ draw, parts })
  }

  /**
   * Have these parts drawn anew, or all of them.
   * @param {...Part} parts
   */
  changed (...parts) {
    for (const part of parts.length ? parts : PARTS) this.#stale.add(part)
    if (this.#willDraw || document.hidden) return // it is drawn when it is looked at
    this.#willDraw = true
    setTimeout(() => requestAnimationFrame(() => this.#draw()), Math.max(0, this.#notBefore - performance.now()))
  }

  #draw () {
    const [begun, stale] = [performance.now(), this.#stale]
    this.#stale = new Set()
    for (const { draw, parts } of this.#watchers) {
      if (parts.some(part => stale.has(part))) draw(stale)
    }
    setTimeout(() => { // after it was painted
      const now = performance.now()
      this.#workMs = Math.min(now - begun, SLOWER * this.#workMs)
      this.#notBefore = now + Math.min(Math.max(REST_TO_WORK * this.#workMs, LEAST_REST_MS), LONGEST_REST_MS)
      this.#willDraw = false
      if (this.#stale.size) this.changed(...this.#stale)
    })
  }

  /** @param {string | null} bot */
  choose (bot) {
    this.chosen = this.chosen === bot ? null : bot
    this.changed()
  }

  /** @param {boolean} isConnected */
  connected (isConnected) {
    this.isConnected = isConnected
    if (isConnected) this.ask()
    this.changed('connection')
  }

  /** @param {Positions} positions */
  moved (positions) {
    this.positions = positions
    for (const { name, x, z } of [...positions.bots, ...positions.people]) {
      const trail = this.trails.get(name) ?? []
      const [lastX, lastZ] = trail.at(-1) ?? [Infinity, Infinity]
      if (Math.hypot(x - lastX, z - lastZ) >= 0.5) trail.push([x, z])
      this.trails.set(name, trail.slice(-MOST_STEPS_OF_A_TRAIL))
    }
    this.changed('positions')
  }

  /** @param {TraceEvent} event */
  take (event) {
    if (event.skipped) this.#skip(event.skipped)
    const line = lineOf(event, this.#names)
    if (line) this.#add(line)
    if (event.name === 'decision.made') this.#decided({ ...event, id: event.id ?? event.sequence, approved: false })
    if (event.name === 'decision.approved') this.#approved(event.decision)
    for (const what of ALL_ASKED) {
      if (ASKED[what].after.test(event.name)) this.#askSoon(what, ASKED[what].everyMs)
    }
  }

  /** Ask for what is no stream: the bots, the talks, the money. */
  async ask () {
    await Promise.all(ALL_ASKED.map(what => this.#ask(what)))
  }

  /** The decisions made before this page was opened. */
  async askDecisions () {
    const answer = await get('/api/decisions')
    for (const decision of answer.decisions ?? []) this.#decided(decision)
  }

  /** @param {string} name */
  isBot (name) {
    return this.#names.has(name)
  }

  /** The daemon where a bot lives, unless it is the one that answers. @param {Bot} bot */
  elsewhere (bot) {
    return bot.daemon && bot.daemon !== this.daemon ? bot.daemon : ''
  }

  /** @param {string} name */
  placeOf (name) {
    return this.positions?.bots.find(bot => bot.name === name) ?? null
  }

  /** @param {number} events */
  #skip (events) {
    this.skipped += events
    this.changed('connection')
  }

  /** What happened at another daemon may come late. @param {Line} line */
  #add (line) {
    let place = this.lines.length
    while (place && this.lines[place - 1].at > line.at) place--
    this.lines.splice(place, 0, line)
    if (this.lines.length > 2 * MOST_LINES) this.lines.splice(0, MOST_LINES)
    this.changed('lines')
  }

  /** @param {Decision} decision */
  #decided (decision) {
    const known = this.decisions.get(decision.id)
    this.decisions.set(decision.id, { ...decision, approved: decision.approved || !!known?.approved })
    const oldest = this.decisions.keys().next().value
    if (this.decisions.size > MOST_DECISIONS && oldest !== undefined) this.decisions.delete(oldest)
    this.changed('decisions')
  }

  /** @param {Bot[]} bots @param {string} [daemon] */
  #know (bots, daemon) {
    this.bots = bots
    this.daemon = daemon ?? null
    this.#names = new Set(bots.map(bot => bot.name))
  }

  /** @param {number | string} id */
  #approved (id) {
    const decision = this.decisions.get(id)
    if (!decision) return
    this.decisions.set(id, { ...decision, approved: true })
    this.changed('decisions')
  }

  /** @param {Asked} what @param {number} everyMs */
  #askSoon (what, everyMs) {
    const now = Date.now()
    const last = this.#asked.get(what) ?? 0
    if (last > now || document.hidden) return // it will be, or once the page is looked at
    const at = Math.max(now + SOON_MS, last + everyMs)
    this.#asked.set(what, at)
    setTimeout(() => this.#ask(what), at - now)
  }

  /** @param {Asked} what */
  async #ask (what) {
    this.#asked.set(what, Date.now())
    const answer = await get(`/api/${what}`)
    if (!answer.success) return
    if (what === 'bots') this.#know(answer.bots, answer.daemon)
    if (what === 'talks') this.talks = answer.talks
    if (what === 'budget') this.budget = answer
    if (what === 'load') this.ended = answer.ended
    this.changed(what)
  }
}

/**
 * An event as people read it; null for what they need not read. A line counts once: between bots
 * when it is heard, to a person when it is sent, in a talk and aloud when it is said.
 * @param {TraceEvent} event
 * @param {Set<string>} bots
 * @returns {Line | null}
 */
export function lineOf (event, bots) {
  const { name, bot, speaker, text } = event
  switch (name) {
    case 'chat.said': return said(event, bot, [], 'aloud')
    case 'smalltalk.said': return event.public ? null : said(event, bot, event.to, '')
    case 'talk.said': return event.public ? null : said(event, bot, event.to, 'talk')
    case 'talk.heard': return bots.has(speaker) ? null : said(event, speaker, [], 'talk')
    case 'message.heard':
      if (event.public) return event.news && !bots.has(speaker) ? said(event, speaker, [], 'aloud') : null
      return event.of_talk ? null : said(event, speaker, [bot ?? ''], '')
    case 'reply.sent':
      return event.public || bots.has(speaker) ? null : said(event, bot, [speaker], '')
    case 'command.finished':
      return did(event, `${speaker}: ${text} → ${outcome(event.result)}`, event.result?.success === false)
    case 'job.finished': return did(event, `${event.command}: ${outcome(event.result)}`, event.result?.success === false)
    case 'job.started': return did(event, `${event.command} …`)
    case 'goal.step_done': return did(event, `✓ ${event.step.action} ${event.step.count} ${event.step.target}`)
    case 'goal.step_failed': return did(event, event.why, true)
    case 'bot.died': return did(event, `died at ${event.position.join(' ')}${ofWhat(event.cause)}`, true)
    case 'event.noticed': return did(event, text)
    case 'connection.changed': return did(event, event.cause ? `${event.state}: ${event.cause}` : event.state)
    case 'talk.ended': return did(event, `talk ${event.talk}: ${event.why}`)
    case 'talk.begun': return did(event, `talk ${event.talk}: ${event.participants.join(', ')}`)
    default: return null
  }
}

/**
 * @param {TraceEvent} event
 * @param {string | null} by
 * @param {string[]} to
 * @param {Line['where']} where
 * @returns {Line}
 */
function said (event, by, to, where) {
  const line = { key: `e${event.sequence}`, at: event.at, by: by ?? '', to, where, text: String(event.text) }
  return { ...line, kind: 'said', talk: event.talk }
}

/**
 * @param {TraceEvent} event
 * @param {string} text
 * @param {boolean} [failed]
 * @returns {Line}
 */
function did (event, text, failed = false) {
  const line = { key: `e${event.sequence}`, at: event.at, by: event.bot ?? '', text: String(text) }
  return { ...line, kind: 'did', to: [], where: '', failed }
}

/**
 * What it died of, as bots/text/causes.py says it; how a guess is told as one.
 * @param {{by: string, how: string} | null} cause
 */
function ofWhat (cause) {
  if (!cause) return '; nobody knows of what'
  return ` (${cause.how === 'guessed' ? 'perhaps ' : ''}${cause.by.replaceAll('_', ' ')})`
}

/** @param {any} result */
function outcome (result) {
  if (result?.message) return result.message
  return result?.success === false ? result.reason : 'done'
}
