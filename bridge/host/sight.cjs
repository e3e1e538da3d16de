'use strict'
// How far around it a bot has the world sent to it. What looks farther than what is here waits for
// a moment, if the bot was just told to see farther and more is on its way.

const { nextEvent } = require('./waiting.cjs')

const LEAST = 2 // chunks, of the game
const MOST = 32
const SIDE = 16

// Servers may ignore what is asked, or see less far themselves: then nothing comes.
const FIRST_MS = 300 // until the first chunk
const NEXT_MS = 200 // between two
const MOST_MS = 1500
const PLAYERS_MS = 500 // for players listed but unseen, as they may be anywhere

const arrivals = new WeakMap() // bot -> what is on its way to it

/** See {chunks} far from now on. */
function see (bot, { chunks }) {
  if (!Number.isInteger(chunks) || chunks < LEAST || chunks > MOST) {
    throw new Error(`nobody sees ${chunks} chunks far`)
  }
  const before = bot.settings.viewDistance
  if (chunks === before) return null
  bot.setSettings({ viewDistance: chunks })
  arrivals.get(bot)?.end()
  if (chunks > before && !isHere(bot, Infinity)) arrivals.set(bot, new Arrival(bot))
  return null
}

/** The chunks that come after a bot was told to see farther, and what waits for them. */
class Arrival {
  constructor (bot) {
    this.bot = bot
    this.waiting = new Set()
    this.follow().finally(() => this.end())
  }

  async follow () {
    const endsAt = performance.now() + MOST_MS
    for (let ms = FIRST_MS; ms > 0; ms = Math.min(NEXT_MS, endsAt - performance.now())) {
      if (!await nextEvent(this.bot, 'chunkColumnLoad', { deadlineMs: ms })) return
      if (isHere(this.bot, Infinity)) return
      for (const { isEnough, go } of this.waiting) if (isEnough()) go()
    }
  }

  /** Resolves once it is enough, nothing more comes, or the time is up. */
  async until (isEnough, ms) {
    const one = { isEnough }
    const timer = setTimeout(() => one.go(), ms)
    await new Promise(resolve => {
      one.go = resolve
      this.waiting.add(one)
    })
    clearTimeout(timer)
    this.waiting.delete(one)
  }

  end () {
    if (arrivals.get(this.bot) === this) arrivals.delete(this.bot)
    for (const { go } of this.waiting) go()
  }
}

/** Whether all chunks within so many blocks are here, as far as the bot may see. */
function isHere (bot, reach) {
  const { x, z } = bot.entity.position
  const blocks = Math.min(reach, bot.settings.viewDistance * SIDE)
  for (let chunkX = chunk(x - blocks); chunkX <= chunk(x + blocks); chunkX++) {
    for (let chunkZ = chunk(z - blocks); chunkZ <= chunk(z + blocks); chunkZ++) {
      if (!bot.world.getColumn(chunkX, chunkZ)) return false
    }
  }
  return true
}

function chunk (at) {
  return Math.floor(at / SIDE)
}

// --- what looks far: a promise to wait for, or null ------------------------------------------

const REACHES = new Map(Object.entries({
  find_blocks: ({ radius }) => radius,
  scan_blocks: ({ radius }) => radius,
  behold: ({ reach }) => reach,
  read_region: ({ reach }) => reach,
  block_at: ({ position: [x, , z] }, bot) => apart(bot, x, z),
  footholds: ({ x, z }, bot) => apart(bot, x, z),
  move_to: ({ position: [x, , z] }, bot) => apart(bot, x, z)
}))

/** What a snapshot waits for: its blocks, and players who are listed but not seen. */
function ofSnapshot (bot, { blocks_within: reach }) {
  return coming(bot, () => isHere(bot, reach)) ??
    coming(bot, () => Object.keys(bot.players).every(name => isSeen(bot, name)), PLAYERS_MS)
}

function ofQuery (bot, { query }) {
  return ofReach(bot, query)
}

function ofAction (bot, action) {
  const { player } = action
  return ofReach(bot, action) ?? (player ? coming(bot, () => isSeen(bot, player)) : null)
}

function ofReach (bot, question) {
  const reach = REACHES.get(question.kind)
  return reach ? coming(bot, () => isHere(bot, reach(question, bot))) : null
}

function coming (bot, isEnough, ms = MOST_MS) {
  const arrival = arrivals.get(bot)
  return !arrival || isEnough() ? null : arrival.until(isEnough, ms)
}

function apart (bot, x, z) {
  const { position } = bot.entity
  return Math.max(Math.abs(x - position.x), Math.abs(z - position.z))
}

function isSeen (bot, name) {
  return name === bot.username || !Object.hasOwn(bot.players, name) || Boolean(bot.players[name].entity)
}

module.exports = { ofAction, ofQuery, ofSnapshot, see }
