'use strict'
// The bots of this process: who is in a world, who is on the way in or out.
const { Life } = require('./life.cjs')
const { Refusal } = require('./refusal.cjs')

const NAME = /^\w{1,16}$/ // what Minecraft takes as a player's name
const NAME_RULE = 'not a player name: 1 to 16 letters, digits or _'
const LET_GO_MS = 300 // from the end of a bot until nothing holds the land it saw

class Bots {
  /** `emit(event)` gets what happens to bots; `onLeave(bot)` ends what a bot was doing; `lines`
   *  are the shapes of lines they hear. */
  constructor ({ emit, onLeave, lines }) {
    this.hooks = { emit, onLeave, lines }
    this.lives = new Map()
  }

  /** The mineflayer bot of that name, in its world. */
  get (name) {
    return this.life(name).bot
  }

  life (name) {
    const life = this.lives.get(name)
    if (!life?.isHere) throw new Refusal('not_connected', 'not connected', { bot: name })
    return life
  }

  /** Join a server; resolves to the `spawned` event. One already there is left as it is. */
  spawn (name, args) {
    const life = this.lives.get(name)
    if (life?.isEnding) return life.gone.then(() => this.spawn(name, args))
    return (life ?? this.begin(name, args)).joined
  }

  begin (name, args) {
    if (!NAME.test(name)) throw failed(name, 'error', NAME_RULE)
    const life = new Life(name, args, this.hooks)
    this.lives.set(name, life)
    life.gone.then(() => this.lives.delete(name))
    life.joined.then(() => life.gone).then(() => this.leftLand(), () => {}) // who was in a world
    return life
  }

  leftLand () {
    clearTimeout(this.tidying)
    this.tidying = setTimeout(() => this.tidy(), LET_GO_MS)
  }

  /** Collect what worlds left behind while nobody is in one, and a pause harms nobody. When a
   *  server is started anew all bots load it at once; V8 would take room for it beside the old
   *  land, and keep it. */
  tidy () {
    if ([...this.lives.values()].some(life => life.isHere)) return
    globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }) // gives pages back, too
  }

  /** Leave the world, or give up joining it. */
  async despawn (name) {
    await (this.lives.get(name) ?? this.life(name)).leave()
  }

  /** Stop reading a bot's socket for as long as any reason stands. */
  pause (name, reason) {
    this.lives.get(name)?.pause(reason)
  }

  resume (name, reason) {
    this.lives.get(name)?.resume(reason)
  }

  /** All bots leave. */
  async leave () {
    await Promise.all([...this.lives.values()].map(life => life.leave()))
  }
}

function failed (bot, ending, text) {
  return new Refusal('spawn_failed', text, { bot, ending, text })
}

module.exports = { Bots }
