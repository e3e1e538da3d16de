'use strict'
// One bot from joining to its one end: tells how the connection ended, whoever ended it, and
// leaves no socket behind.
const { AsyncLocalStorage } = require('node:async_hooks')
const { listen } = require('./hearing.cjs')
const { load } = require('./packages.cjs')
const { Refusal } = require('./refusal.cjs')
const correctHarvest = require('../vanilla/harvest.cjs')

const mineflayer = load('mineflayer')
const { pathfinder } = load('mineflayer-pathfinder')

const LEAVE_MS = 300 // for the server to close the connection
const KICK_MS = 1000 // from the server's reason to the end of the connection
const GROUND_MS = 3000 // for the chunk below the feet after the server placed the bot
const SETTLE_MS = 500 // for what the bot was doing to end

const owner = new AsyncLocalStorage() // whose packets or timers the running code belongs to

class Life {
  constructor (name, args, { emit, onLeave, patterns }) {
    Object.assign(this, { name, emit, onLeave, patterns })
    this.isSpawned = this.isLeaving = this.isOver = false
    this.kick = null // what the server said before it closed
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

  open ({ host, port, version }) {
    try {
      this.bot = mineflayer.createBot({
        host,
        port,
        username: this.name,
        version: version ?? false, // false = ask the server
        auth: 'offline',
        viewDistance: 'tiny',
        hideErrors: true,
        logErrors: false
      })
    } catch (error) {
      return this.finish('error', error.message)
    }
    this.follow(this.bot)
    this.bot.loadPlugin(pathfinder)
    listen(this.bot, this.patterns, line => this.tell(line))
  }

  follow (bot) {
    bot.once('inject_allowed', () => correctHarvest(bot.registry))
    bot.on('error', error => this.trouble(error))
    bot.on('kicked', reason => this.kicked(reason))
    bot.on('end', reason => this.ended(reason))
    bot._client.on('connect', () => { if (this.isOver) bot._client.socket.destroy() }) // too late
    bot.on('health', () => this.felt(bot))
    bot.on('playerJoined', ({ username }) => this.met('joined', username))
    bot.on('playerLeft', ({ username }) => this.met('left', username))
    arrival(bot).then(() => this.spawned(bot))
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

  spawned (bot) {
    if (this.isEnding) return
    clearTimeout(this.timer)
    this.isSpawned = true
    const { x, y, z } = bot.entity.position
    const event = {
      t: 'spawned',
      bot: this.name,
      at: Date.now(),
      version: bot.version,
      position: [x, y, z]
    }
    this.emit(event)
    this.onJoined(event)
  }

  // --- how it ends -----------------------------------------------------------

  /** Code of this bot threw where nobody caught it. */
  crashed (error) {
    if (!this.isSpawned) this.finish('error', String(error?.message ?? error))
  }

  // minecraft-protocol goes on after a packet it cannot read or write; only sockets and
  // timeouts end a connection, the latter without closing it.
  trouble (error) {
    if (error.field !== undefined) this.complaint = error.message
    else this.finish('error', error.code ?? error.message)
  }

  kicked (reason) {
    this.kick = typeof reason === 'string' ? reason : JSON.stringify(reason)
    setTimeout(() => this.finish('kicked', this.kick), KICK_MS)
  }

  ended (reason) {
    if (this.isLeaving) this.finish('requested', '')
    else if (this.kick !== null) this.finish('kicked', this.kick)
    else this.finish('end', String(reason ?? ''))
  }

  /** Leave because we are asked to; resolves when the bot is gone. */
  leave () {
    if (!this.isEnding) {
      this.isLeaving = true
      this.bot.end()
      setTimeout(() => this.finish('requested', ''), LEAVE_MS)
    }
    return this.gone
  }

  async finish (ending, text) {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    this.bot?._client.end(ending)
    this.bot?._client.socket?.destroy()
    if (this.isSpawned) await this.lost(ending, text)
    else this.onFailed(new Refusal('spawn_failed', text, { bot: this.name, ending, text }))
    this.onGone()
  }

  async lost (ending, text) {
    await Promise.race([this.onLeave(this.bot), elapsed(SETTLE_MS)])
    this.tell({ t: 'disconnected', ending, text })
    this.isSpawned = false
  }

  // --- holding back ----------------------------------------------------------

  pause (reason) {
    const { socket } = this.bot._client
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

/** Resolves when the bot is in the world, placed by the server, with ground below it. */
async function arrival (bot) {
  const once = event => new Promise(resolve => bot.once(event, resolve))
  await Promise.all([once('spawn'), once('forcedMove')])
  const giveUp = elapsed(GROUND_MS)
  const giveUpAt = Date.now() + GROUND_MS
  while (Date.now() < giveUpAt && !bot.world.getColumnAt(bot.entity.position)) {
    await Promise.race([once('chunkColumnLoad'), giveUp])
  }
}

function elapsed (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

module.exports = { Life, owner }
