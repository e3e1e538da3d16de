'use strict'
// 200 people for a bot to see, the same in every Node: made of Mineflayer's own objects, put
// where Mineflayer keeps the players it was told of.
const { createRequire } = require('node:module')
const path = require('node:path')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))

const PING_MS = 20

/** Put `count` people around the bot; `healthKey` is where metadata keeps health. */
function install (bot, count, healthKey) {
  const Entity = load('prismarine-entity')(bot.registry)
  for (let number = 0; number < count; number++) {
    const username = `Person${number}`
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    const entity = Object.assign(new Entity(1e6 + number), { username, uuid, type: 'player', name: 'player' })
    entity.position.set(number * 0.37 - 40, 64 + number / 8, 40.25 - number * 0.41)
    entity.metadata[healthKey] = 1 + number % 20
    bot.players[username] = { username, uuid, entity, gamemode: 0, ping: PING_MS, displayName: null }
  }
  return count
}

/** A plain Mineflayer bot in the world; resolves once it stands there. */
async function join (address) {
  const options = { ...JSON.parse(address), auth: 'offline', viewDistance: 'tiny', hideErrors: true }
  const bot = load('mineflayer').createBot(options)
  await new Promise((resolve, reject) => {
    for (const failure of ['error', 'kicked', 'end']) bot.once(failure, why => reject(new Error(String(why))))
    bot.once('spawn', resolve)
  })
  return bot
}

module.exports = { install, join }
