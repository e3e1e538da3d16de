'use strict'
// People for scenes: plain Mineflayer clients, with nothing of ours. Each line on stdin is an order
// {n, who, order, ...}; the answer is {n, ok: true, ...} or {n, ok: false, why}. Ends when stdin closes.
const { createRequire } = require('node:module')
const path = require('node:path')
const readline = require('node:readline')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))
const mineflayer = load('mineflayer')
const { Vec3 } = load('vec3')

const answer = console.log
console.log = console.error // what libraries print

const LOOK_AGAIN_MS = 20
const CLICK_MS = 2000
const ITEMS = new Set(['item', 'item_stack', 'Item'])
const people = new Map()
const point = ({ x, y, z }) => new Vec3(x, y, z)

/** The first value of `look` that is not undefined; undefined when there is none in time. */
async function until (ms, look) {
  for (const end = Date.now() + ms; ;) {
    const seen = look()
    if (seen !== undefined || Date.now() >= end) return seen
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

const orders = {
  async join (_nobody, { who, host, port, version }) {
    const bot = mineflayer.createBot({ host, port, version, username: who, auth: 'offline', hideErrors: true })
    bot.heard = []
    bot.on('messagestr', line => bot.heard.push(line))
    await new Promise((resolve, reject) => {
      bot.once('spawn', resolve)
      bot.once('kicked', why => reject(new Error(typeof why === 'string' ? why : JSON.stringify(why))))
      bot.once('error', error => reject(new Error(error.code ?? error.message)))
      bot.once('end', why => reject(new Error(String(why))))
    })
    bot.on('error', () => {})
    people.set(who, bot)
    bot.once('end', () => people.delete(who))
    return { version: bot.version }
  },

  async leave (bot) {
    const gone = new Promise(resolve => bot.once('end', resolve))
    bot.quit()
    await gone
  },

  say: (bot, { text }) => { bot.chat(text) },

  heard: bot => ({ count: bot.heard.length }),

  hear: async (bot, { containing, after, ms }) => {
    const found = await until(ms, () => bot.heard.slice(after).find(line => line.includes(containing)))
    return { line: found ?? null, instead: bot.heard.slice(after) }
  },

  list: async (bot, { player, listed, ms }) => {
    await until(ms, () => player in bot.players === listed || undefined)
    return { players: Object.keys(bot.players) }
  },

  // How many stacks lie around, once there are more than so many.
  lie: async (bot, { more, ms }) => {
    const stacks = () => Object.values(bot.entities).filter(({ name }) => ITEMS.has(name)).length
    await until(ms, () => stacks() > more || undefined)
    return { stacks: stacks() }
  },

  see: async (bot, { player, at, within, ms }) => {
    const place = () => bot.players[player]?.entity?.position
    await until(ms, () => place()?.distanceTo(point(at)) <= within || undefined)
    const seen = place()
    return { distance: seen ? seen.distanceTo(point(at)) : null }
  },

  stand: bot => ({ x: bot.entity.position.x, y: bot.entity.position.y, z: bot.entity.position.z }),

  walk: async (bot, { at, ms }) => {
    const goal = point(at).offset(0.5, 0, 0.5)
    await bot.lookAt(goal.offset(0, bot.entity.height, 0), true)
    for (const state of ['forward', 'jump']) bot.setControlState(state, true)
    await until(ms, () => bot.entity.position.xzDistanceTo(goal) < 0.5 || undefined)
    bot.clearControlStates()
    return {}
  },

  block: async (bot, { at, among, ms }) => {
    const name = () => kindOf(bot, bot.blockAt(point(at)))
    await until(ms, () => among.includes(name()) || undefined)
    return { name: name() ?? null }
  },

  dig: async (bot, { at }) => {
    const block = await until(CLICK_MS, () => bot.blockAt(point(at)) ?? undefined) // whoever has just joined has no land yet
    await bot.dig(block, true)
    return { name: kindOf(bot, block) }
  },

  carry: async (bot, { item, count, ms }) => {
    await until(ms, () => counted(bot.inventory.items(), item) >= count || undefined)
    return { count: counted(bot.inventory.items(), item) }
  },

  fetch: async (bot, { at, ms }) => {
    const before = bot.inventory.items().reduce((sum, item) => sum + item.count, 0)
    await bot.lookAt(point(at).offset(0.5, 0, 0.5), true)
    bot.setControlState('forward', true)
    const gained = await until(ms, () => bot.inventory.items().reduce((sum, item) => sum + item.count, 0) > before || undefined)
    bot.clearControlStates()
    return { gained: gained ?? false }
  },

  toss: async (bot, { item }) => {
    const known = new Set(Object.keys(bot.entities))
    const fresh = () => Object.values(bot.entities).some(({ id, name }) => ITEMS.has(name) && !known.has(String(id)))
    const before = counted(bot.inventory.items(), item)
    await inTime(bot.toss(bot.registry.itemsByName[item].id, null, 1), 'the server does not answer clicks')
    const lies = await until(CLICK_MS, () => fresh() || undefined)
    return { gone: before - counted(bot.inventory.items(), item), lies: lies ?? false }
  },

  open: async (bot, { at, put, item }) => {
    const chest = await inTime(bot.openContainer(bot.blockAt(point(at))), 'the chest does not open')
    if (put) await inTime(chest.deposit(bot.registry.itemsByName[item].id, null, 1), 'the server does not answer clicks')
    const count = counted(chest.containerItems(), item)
    chest.close()
    return { count }
  },

  revive: async (bot, { ms }) => {
    if (!await until(ms, () => bot.health <= 0 || undefined)) throw new Error('it did not die')
    return { alive: await until(ms, () => bot.health > 0 || undefined) ?? false }
  }
}

// Up to 1.12 the ground has numbers and metadata. Source: minecraft.wiki, pre-flattening data values.
const OLD_GROUND = {
  '1:1': 'granite',
  '1:3': 'diorite',
  '1:5': 'andesite',
  '2:0': 'grass_block',
  '3:1': 'coarse_dirt',
  '3:2': 'podzol',
  '12:1': 'red_sand',
  '31:1': 'grass'
}
const kindOf = (bot, block) => {
  const isOld = block && !bot.registry.supportFeature('blockStateId')
  return (isOld && OLD_GROUND[`${block.type}:${block.metadata}`]) || block?.name
}

const counted = (items, name) => items.filter(item => item.name === name).reduce((sum, item) => sum + item.count, 0)

async function inTime (promise, otherwise) {
  const late = new Promise((resolve, reject) => setTimeout(reject, CLICK_MS, new Error(otherwise)))
  return await Promise.race([promise, late])
}

async function obeyed (order) {
  const bot = people.get(order.who)
  try {
    if (!bot && order.order !== 'join') throw new Error('it is not in the world')
    return { ok: true, ...await orders[order.order](bot, order) }
  } catch (error) {
    return { ok: false, why: error.message }
  }
}

async function main () {
  answer('{"ready": true}')
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const order = JSON.parse(line)
    answer(JSON.stringify({ n: order.n, ...await obeyed(order) }))
  }
  process.exit(0)
}

main()
