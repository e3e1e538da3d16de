'use strict'
// What waits to be pushed to Python: replies first, then events in their order. One push is
// under way at a time, so batches grow with the load by themselves, and what comes when none is
// leaves at once: Python starts on it while mineflayer still handles the packet it came from.
// Events wait here while Python has many unread; a bot of which too many wait has its socket
// paused (see `onFlood`).

const PUSH_MESSAGES = 512
const PUSH_CHARS = 256 * 1024
const UNREAD_LIMIT = 20000 // events Python may leave unread before we hold more back
const FLOOD_EVENTS = 10000 // unsent events of one bot
const COALESCED = new Set(['health', 'progress', 'near', 'endangered'])

class Outbox {
  /** `push(text)` resolves to how many events wait unread in Python. `onFlood(bot, isFlooded)`
   *  is told when a bot's unsent events pass the limit, and when half of them have gone. */
  constructor ({ push, onFlood, onError }) {
    Object.assign(this, { push, onFlood, onError })
    this.replies = []
    this.events = new Map() // key -> {message, text}, oldest first
    this.waiting = new Map() // bot -> how many of its events wait
    this.flooded = new Set()
    this.numbered = 0
    this.seq = 0
    this.unread = 0
    this.isPushing = false
    this.onDrained = () => {}
  }

  get length () {
    return this.replies.length + this.events.size
  }

  /** Queue a reply or a heartbeat. */
  reply (message) {
    this.replies.push(JSON.stringify(message))
    this.flush()
  }

  /** Queue an event. Of what is coalesced only the newest waits, in its newest place. */
  emit (message) {
    const key = keyOf(message) ?? ++this.numbered
    if (this.events.delete(key)) this.count(message.bot, -1)
    this.events.set(key, { bot: message.bot, text: JSON.stringify(message) })
    this.count(message.bot, 1)
    this.flush()
  }

  count (bot, change) {
    const waiting = (this.waiting.get(bot) ?? 0) + change
    if (waiting > 0) this.waiting.set(bot, waiting)
    else this.waiting.delete(bot)
    this.tellFlood(bot, waiting)
  }

  tellFlood (bot, waiting) {
    const isFlooded = this.flooded.has(bot)
    if (!isFlooded && waiting >= FLOOD_EVENTS) {
      this.flooded.add(bot)
      this.onFlood(bot, true)
    } else if (isFlooded && waiting <= FLOOD_EVENTS / 2) {
      this.flooded.delete(bot)
      this.onFlood(bot, false)
    }
  }

  get isDue () {
    return this.replies.length > 0 || (this.events.size > 0 && this.unread < UNREAD_LIMIT)
  }

  async flush () {
    if (this.isPushing || !this.isDue) return
    this.isPushing = true
    try {
      this.unread = await this.push(this.take())
    } catch (error) {
      this.onError(error) // and never push again: Python sees the silence and starts a new Node
      return
    }
    this.isPushing = false
    if (this.isDue) this.flush()
    else this.onDrained()
  }

  /** Resolves when Python has taken all that may be pushed now. */
  drained () {
    if (!this.isPushing && !this.isDue) return Promise.resolve()
    return new Promise(resolve => { this.onDrained = resolve })
  }

  take () {
    const texts = []
    let room = PUSH_CHARS
    const fits = text => texts.length < PUSH_MESSAGES && (room >= text.length || !texts.length)
    const add = text => { texts.push(text); room -= text.length }
    this.takeReplies(fits, add)
    if (this.unread < UNREAD_LIMIT) this.takeEvents(fits, add)
    return `{"seq":${++this.seq},"messages":[${texts.join(',')}]}`
  }

  takeReplies (fits, add) {
    let taken = 0
    while (taken < this.replies.length && fits(this.replies[taken])) add(this.replies[taken++])
    this.replies.splice(0, taken)
  }

  takeEvents (fits, add) {
    for (const [key, { bot, text }] of this.events) {
      if (!fits(text)) return
      this.events.delete(key)
      add(text)
      this.count(bot, -1)
    }
  }
}

// A death must not be overtaken by the health of the next life.
function keyOf ({ t, bot, action, health }) {
  if (!COALESCED.has(t) || health === 0) return null
  return `${t} ${bot} ${action ?? ''}`
}

module.exports = { Outbox }
