'use strict'
// What threatens a bot: which monsters are near, what harms it where it is, and whether it is a
// night in which monsters come. Told as it changes.
const { breathOf } = require('./sensing/traits.cjs')
const { mobs } = require('./snapshot.cjs')
const { whereIn } = require('./signs.cjs')
const { mobOf } = require('../vanilla/mobs.cjs')

const RINGS = [3, 6, 8, 12, 16] // blocks, as in bridge/events.py
const LEEWAY = 1 // blocks beyond a ring until one has left it: who walks on its edge is told once
const EVERY_TICKS = 2
const AROUND = RINGS.at(-1) + LEEWAY + 1 // blocks: what changes farther off changes no ring
const LITTLE_AIR = 10 // half bubbles of 20
const EYES = 1.62 // blocks above the feet
const HARMS = ['lava', 'fire', 'burning']
const LEVELS = ['peaceful', 'easy', 'normal', 'hard']
const DUSK_TICK = 12_542 // as in bridge/world.py
const DAWN_TICK = 23_460

/** Keeps `bot.difficulty`, and has `bot` emit, once it has `arrived`, `near` with the rows of the monsters
 *  around, and `endangered` with what harms it. */
module.exports = function danger (bot) {
  const told = { near: '', endangered: '' }
  let ticks = 0
  const isStale = { near: true, harms: true } // whether anything changed since it looked
  let rings = new Map() // id of a monster -> number of its ring

  // Mineflayer (4.39.0) keeps none of the names that the protocol gives.
  for (const packet of ['login', 'respawn', 'difficulty']) {
    bot._client.on(packet, ({ difficulty }) => {
      const level = LEVELS[difficulty] ?? difficulty
      if (LEVELS.includes(level)) bot.difficulty = level // else the server tells none
    })
  }

  const stir = () => Object.assign(isStale, { near: true, harms: true })
  const isAround = place => place?.distanceTo(bot.entity.position) <= AROUND
  for (const event of ['move', 'time']) bot.on(event, stir) // each comes once a second in any case
  for (const event of ['entitySpawn', 'entityMoved', 'entityGone', 'entityUpdate']) {
    bot.on(event, entity => {
      if (entity === bot.entity) stir()
      else isStale.near ||= isAround(entity.position)
    })
  }
  bot.on('blockUpdate', (before, after) => { isStale.harms ||= isAround((after ?? before)?.position) })

  bot.once('arrived', () => bot.on('physicsTick', look)) // before that nobody is told

  function look () {
    if (++ticks % EVERY_TICKS) return
    if (isStale.near) {
      rings = ringsOf(bot, rings)
      tell('near', [...rings], () => mobs(bot).filter(([, , , id]) => rings.has(id)))
    }
    if (isStale.harms) tell('endangered', harmsOf(bot), harms => harms)
    Object.assign(isStale, { near: false, harms: false })
  }

  function tell (event, now, shown) {
    const key = JSON.stringify(now)
    if (key === (told[event] || '[]')) return
    told[event] = key
    bot.emit(event, shown(now))
  }
}

/** The ring of each monster that is near, by its id. */
function ringsOf ({ entities, entity: self }, before) {
  const found = new Map()
  for (const { id, name, position } of Object.values(entities)) {
    if (!mobOf(name)?.isHostile) continue
    const away = position.distanceTo(self.position)
    const ring = RINGS.findIndex((blocks, ring) => away <= blocks + (before.get(id) === ring ? LEEWAY : 0))
    if (ring >= 0) found.set(id, ring)
  }
  return found
}

function harmsOf (bot) {
  if (!(bot.health > 0)) return []
  const found = [...whereIn(bot)].filter(what => HARMS.includes(what))
  if (isBuried(bot)) found.push('buried')
  if (breathOf(bot) <= LITTLE_AIR) found.push('airless')
  if (bot.difficulty !== LEVELS[0] && isNight(bot)) found.push('night')
  return found
}

/** Whether its head is inside of a block that lets nobody breathe. */
function isBuried (bot) {
  const { boundingBox, transparent, shapes } = bot.blockAt(bot.entity.position.offset(0, EYES, 0), false) ?? {}
  return boundingBox === 'block' && !transparent && String(shapes) === '0,0,0,1,1,1'
}

function isNight ({ game, time }) {
  return game.dimension === 'overworld' && time.timeOfDay >= DUSK_TICK && time.timeOfDay < DAWN_TICK
}
