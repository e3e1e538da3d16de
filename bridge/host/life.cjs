'use strict'
// One bot from joining to its one end: tells how the connection ended, whoever ended it, and
// leaves no socket behind.
const { AsyncLocalStorage } = require('node:async_hooks')
const { account } = require('./accounts.cjs')
const { afloat } = require('./afloat.cjs')
const closing = require('./closing.cjs')
const { confirming } = require('./confirming.cjs')
const { counting } = require('./counting.cjs')
const cursor = require('./cursor.cjs')
const danger = require('./danger.cjs')
const dying = require('./dying.cjs')
const gifts = require('./gifts.cjs')
const { ground } = require('./ground.cjs')
const harm = require('./harm.cjs')
const { Hearing } = require('./hearing.cjs')
const { readOnAfterFailedWrites } = require('./last_words.cjs')
const { masonry } = require('./acting/masonry.cjs')
const others = require('./others.cjs')
const { load } = require('./packages.cjs')
const prompts = require('./prompts.cjs')
const { Refusal } = require('./refusal.cjs')
const { resting } = require('./resting.cjs')
const { leads } = require('./sensing/traits.cjs')
const signs = require('./signs.cjs')
const { sky } = require('./sky.cjs')
const { onJoin } = require('./speaking.cjs')
const { versionFor } = require('./versions.cjs')
const { witnessing } = require('./witnessing.cjs')
const { wordsOf } = require('./words.cjs')
const worlds = require('./worlds.cjs')
const correctHarvest = require('../vanilla/harvest.cjs')

const mineflayer = load('mineflayer')
const { pathfinder } = load('mineflayer-pathfinder')

const LEAVE_MS = 300 // for the server to close the connection
const KICK_MS = 1000 // from the server's reason to the end of the connection
const DEAD_MS = 10_000 // from a death until the server has let the bot live again
const LAST_WORDS_MS = 1000 // from a failure of the connection to the server's reason
const GROUND_MS = 3000 // for the chunk below the feet after the server placed the bot
const SETTLE_MS = 500 // for what the bot was doing to end
const OTHER_VERSION = /^This server is version .+, you are using version/ // minecraft-protocol's

const owner = new AsyncLocalStorage() // whose packets or timers the running code belongs to

class Life {
  constructor (name, args, { emit, onLeave, lines }) {
    Object.assign(this, { name, emit, onLeave, lines, onJoin: args.on_join })
    this.isSpawned = this.isLeaving = this.isOver = false
    this.isListening = false // whether mineflayer has loaded what handles packets
    this.kick = null // what the server said before it closed: {text, key}
    this.failure = '' // of the socket, when it broke
    this.complaint = '' // the last packet we could not read
    this.pauses = new Set()
    this.joined = new Promise((resolve, reject) => {
      Object.assign(this, { onJoined: resolve, onFailed: reject })
    })
    this.gone = new Promise(resolve => { this.onGone = resolve })
    const giveUp = () => this.finish('spawn_timeout', this.complaint)
    this.timer = setTimeout(giveUp, args.timeout_s * 1000)
    owner.run(this, () => this.open(args))
  }

  /** Whether it is in its world and stays there. */
  get isHere () {
    return this.isSpawned && !this.isEnding
  }

  /** Whether it is on its way out. */
  get isEnding () {
    return this.isOver || this.isLeaving
  }

  async open (args) {
    try {
      const version = await versionFor(args)
      const auth = args.account ? await account(args.account, this.name) : 'offline'
      if (!this.isEnding) this.connect({ ...args, version, auth })
    } catch (error) {
      const { text = error.code ?? error.message, key } = error.data ?? {}
      this.finish('error', text, key)
    }
  }

  connect ({ host, port, version, auth, view_chunks: viewDistance }) {
    this.bot = mineflayer.createBot({
      host,
      port,
      version,
      username: this.name,
      auth,
      plugins: { resource_pack: prompts, worlds, closing, confirming, counting, cursor, signs, harm, danger, dying, afloat, gifts, masonry, others, ground, leads, resting, sky, witnessing },
      viewDistance,
      hideErrors: true,
      logErrors: false
    })
    this.follow(this.bot)
    this.bot.loadPlugin(pathfinder)
    this.bot.answers = Hearing.listen(this.bot, this.lines, line => this.tell(line))
  }

  follow (bot) {
    bot.once('inject_allowed', () => this.listening(bot))
    bot.on('error', error => this.trouble(error))
    bot.on('kicked', reason => this.kicked(reason))
    bot.on('end', reason => this.ended(reason))
    bot._client.on('connect', () => this.connected(bot._client.socket))
    bot.on('health', () => this.felt(bot))
    bot.on('death', () => this.dead(bot))
    bot.on('hurt', blow => this.tell({ t: 'hurt', ...blow }))
    bot.on('near', monsters => this.tell({ t: 'near', monsters }))
    bot.on('endangered', by => this.tell({ t: 'endangered', by }))
    bot.on('died', death => this.tell({ t: 'died', ...death }))
    bot.on('given', gift => this.tell({ t: 'given', ...gift }))
    bot.on('handing', names => this.tell({ t: 'handing', ...names }))
    bot.on('placing', placing => this.tell({ t: 'placing', ...placing }))
    bot.on('wounded', wound => this.tell({ t: 'wounded', ...wound }))
    bot.on('fallen', death => this.tell({ t: 'fallen', ...death }))
    bot.on('playerJoined', ({ username }) => this.met('joined', username))
    bot.on('playerLeft', ({ username }) => this.met('left', username))
    arrival(bot).then(() => this.spawned(bot))
  }

  // expected: what a server answers at once is heard
  // actual:   mineflayer begins to connect first and loads what handles packets a timer later; a
  //           quick answer, such as a refusal at the login, comes between the two
  // remove when: createBot of mineflayer loads its plugins before it connects
  connected (socket) {
    if (this.isOver) return socket.destroy() // too late
    readOnAfterFailedWrites(socket, error => this.trouble(error))
    if (!this.isListening) this.pause('loading')
  }

  listening ({ registry }) {
    this.isListening = true
    correctHarvest(registry)
    this.resume('loading')
  }

  /** Queue an event of this bot, once it is in the world. */
  tell (event) {
    if (this.isSpawned) this.emit({ bot: this.name, at: Date.now(), ...event })
  }

  met (t, player) {
    if (player !== this.name) this.tell({ t, player })
  }

  felt ({ health, food }) {
    if (this.health === health && this.food === food) return
    Object.assign(this, { health, food })
    this.tell({ t: 'health', health, food })
  }

  /** A server that lets nobody live again lets them in anew. */
  dead (bot) {
    clearTimeout(this.burial)
    this.burial = setTimeout(() => bot.isAlive || this.finish('end', '', 'left_dead'), DEAD_MS)
  }

  spawned (bot) {
    if (this.isEnding) return
    clearTimeout(this.timer)
    this.isSpawned = true
    for (const line of this.onJoin) onJoin(bot, line)
    const { x, y, z } = bot.entity.position
    const event = {
      t: 'spawned',
      bot: this.name,
      at: Date.now(),
      version: bot.version,
      position: [x, y, z]
    }
    this.emit(event)
    bot.emit('arrived')
    this.onJoined(event)
  }

  // --- how it ends -----------------------------------------------------------

  /** Code of this bot threw where nobody caught it. */
  crashed (error) {
    if (!this.isSpawned) this.finish('error', String(error?.message ?? error))
  }

  // minecraft-protocol goes on after a packet it cannot read or write; only sockets and
  // timeouts end a connection, the latter without closing it. Whoever is thrown out often
  // notices the broken connection before the reason, which was sent first.
  trouble (error) {
    if (OTHER_VERSION.test(error.message)) return // the server's own words follow
    if (error.field !== undefined) {
      this.complaint = error.message
      return
    }
    this.failure ||= String(error.code ?? error.message)
    this.lastWords ??= setTimeout(() => this.ended(), LAST_WORDS_MS)
  }

  kicked (reason) {
    const { text, key } = this.kick = wordsOf(reason)
    setTimeout(() => this.finish('kicked', text, key), KICK_MS)
  }

  ended (reason) {
    if (this.isLeaving) this.finish('requested', '')
    else if (this.kick) this.finish('kicked', this.kick.text, this.kick.key)
    else if (this.failure) this.finish('error', this.failure)
    else this.finish('end', String(reason ?? ''))
  }

  /** Leave because we are asked to; resolves when the bot is gone. */
  leave () {
    if (!this.isEnding) {
      this.isLeaving = true
      this.bot?.end()
      setTimeout(() => this.finish('requested', ''), LEAVE_MS)
    }
    return this.gone
  }

  async finish (ending, text, key = '') {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    clearTimeout(this.lastWords)
    clearTimeout(this.burial)
    if (this.bot) hangUp(this.bot._client, ending)
    if (this.isSpawned) await this.lost({ ending, text, key })
    else this.onFailed(new Refusal('spawn_failed', text, { bot: this.name, ending, text, key }))
    this.onGone()
  }

  async lost (end) {
    await Promise.race([this.onLeave(this.bot), elapsed(SETTLE_MS)])
    this.tell({ t: 'disconnected', ...end })
    this.isSpawned = false
  }

  // --- holding back ----------------------------------------------------------

  pause (reason) {
    const { socket } = this.bot?._client ?? {}
    if (!socket) return // not yet on its way: nothing comes in
    // A pipe that waits for its target to drain would read on by itself.
    if (!this.pauses.size) socket.on('resume', this.stayPaused = () => { socket.pause() })
    this.pauses.add(reason)
    socket.pause()
  }

  resume (reason) {
    if (!this.pauses.delete(reason) || this.pauses.size) return
    const { socket } = this.bot._client
    socket.removeListener('resume', this.stayPaused)
    socket.resume()
  }
}

/** Close a connection, whether it has ended or not.
 *
 *  expected: nothing holds a bot that is gone. actual: each `end` of minecraft-protocol sets a timer
 *  of 30 s, also after the connection has ended; only the last is cleared, and only at its end.
 *  The timer holds the socket, and with it the bot and all the land it saw.
 *  remove when: `end` of a connection that has ended sets none, and a second one clears the first. */
function hangUp (client, reason) {
  clearTimeout(client.closeTimer)
  client.end(reason)
  client.socket?.destroy()
  clearTimeout(client.closeTimer)
}

/** Resolves when the bot is in the world, placed by the server, with ground below it. */
async function arrival (bot) {
  const once = event => new Promise(resolve => bot.once(event, resolve))
  await Promise.all([once('spawn'), once('forcedMove')])
  const giveUp = elapsed(GROUND_MS)
  const giveUpAt = performance.now() + GROUND_MS
  while (performance.now() < giveUpAt && !bot.world.getColumnAt(bot.entity.position)) {
    await Promise.race([once('chunkColumnLoad'), giveUp])
  }
}

function elapsed (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

module.exports = { Life, owner }
