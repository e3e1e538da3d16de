'use strict'
// Clients on stage, and waiting for what they see instead of sleeping.

const WAIT_MS = 20_000 // a busy machine lets twenty clients wait long

module.exports = function stage (load, port, admin) {
  const mineflayer = load('mineflayer')
  const { Vec3 } = load('vec3')
  const bots = []
  const faults = []
  const built = []

  /** A client at the door. */
  function enter (name) {
    const bot = mineflayer.createBot({
      host: '127.0.0.1',
      port,
      username: name,
      auth: 'offline',
      version: '1.16.5',
      viewDistance: 'tiny',
      hideErrors: true,
      logErrors: false
    })
    bots.push(bot)
    bot.on('error', error => faults.push(`${name}: ${error.message}`))
    bot.kickedWith = null
    // mineflayer itself listens a timer later, which may be after a quick refusal
    for (const packet of ['disconnect', 'kick_disconnect']) {
      bot._client.on(packet, ({ reason }) => { bot.kickedWith = reason })
    }
    bot.over = false
    bot.on('end', () => { bot.over = true })
    return bot
  }

  /** A client that has spawned. */
  async function join (name) {
    const bot = enter(name)
    await once(bot, 'spawn').catch(({ message }) => {
      const [health, kickedWith] = [bot.health, JSON.stringify(bot.kickedWith)]
      throw new Error(`${name}: ${message}; health ${health}, ${bot.over ? 'gone' : 'there'}, kicked with ${kickedWith}`)
    })
    return bot
  }

  /** Ask again until the answer is true-like; that answer. */
  async function until (look, what = String(look), ms = WAIT_MS) {
    const end = Date.now() + ms
    for (;;) {
      const seen = await look()
      if (seen) return seen
      if (Date.now() > end) throw new Error(`never saw: ${what}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  function once (emitter, event, ms = WAIT_MS) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${event} within ${ms} ms`)), ms)
      emitter.once(event, (...values) => {
        clearTimeout(timer)
        resolve(values)
      })
    })
  }

  /** Item names to counts, as the client believes. */
  function holds (bot) {
    const counts = {}
    for (const { name, count } of bot.inventory.items()) counts[name] = (counts[name] || 0) + count
    return counts
  }

  /** The same, as the server believes. */
  async function owns (bot) {
    const counts = {}
    for (const [, name, count] of await admin('inventory', { player: bot.username })) {
      counts[name] = (counts[name] || 0) + count
    }
    return counts
  }

  /** Both once they agree. */
  async function agreed (bot) {
    let seen
    await until(async () => {
      seen = await owns(bot)
      return sameCounts(seen, holds(bot))
    }, 'client and server agree').catch(() => {
      throw new Error(`server ${JSON.stringify(seen)}, client ${JSON.stringify(holds(bot))}`)
    })
    return seen
  }

  async function give (bot, things) {
    for (const [item, count] of Object.entries(things)) {
      await admin('give', { player: bot.username, item, count })
    }
    await agreed(bot)
  }

  /** A player alone, well and with empty hands on the flat ground around spawn. */
  async function fresh (name, x = 8.5, z = 8.5) {
    const bot = await join(name)
    await admin('gamemode', { player: name, mode: 0 }) // what the scene before left may have been saved
    await admin('clear', { player: name })
    await admin('health', { player: name, level: 20 })
    await admin('feed', { player: name })
    await move(bot, x, 64, z)
    return bot
  }

  async function move (bot, x, y, z) {
    await admin('teleport', { player: bot.username, x, y, z })
    await until(() => bot.entity.position.distanceTo(new Vec3(x, y, z)) < 1.5, `${bot.username} moved`)
    await until(() => bot.entity.onGround && bot.blockAt(bot.entity.position.offset(0, -0.5, 0)), 'ground')
  }

  /** Throw what is in the first slot at another player. */
  async function throwAt (bot, other) {
    await bot.lookAt(other.entity.position.offset(0, 1.3, 0), true)
    await bot.waitForTicks(3) // until the look has been sent
    await bot.tossStack(bot.inventory.items()[0])
  }

  /** Set a block by decree; the block as the client sees it. */
  async function put (bot, x, y, z, block) {
    await admin('setblock', { x, y, z, block })
    built.push({ x, y, z })
    const at = new Vec3(x, y, z)
    await until(() => bot.blockAt(at)?.name === block, `${block} at ${at}`)
    return bot.blockAt(at)
  }

  async function clear () {
    bots.forEach(bot => bot.end('scene over'))
    await until(() => bots.every(bot => bot.over), 'all left').catch(() => {})
    for (const place of built.reverse()) await admin('setblock', { ...place, block: 'air' })
    await admin('sweep')
  }

  const item = (bot, name) => bot.registry.itemsByName[name].id
  return { admin, agreed, bots, clear, enter, faults, fresh, give, holds, item, join, move, once, owns, put, throwAt, until, Vec3 }
}

function sameCounts (one, other) {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every(name => one[name] === other[name])
}
