'use strict'
// What threatens a bot: which monsters are near, what harms it where it is, and whether it is a
// night in which monsters come. Told as it changes.
const { breathOf } = require('./sensing/traits.cjs')
const { mobs } = require('./snapshot.cjs')
const { whereIn } = require('./signs.cjs')
const { mobOf } = require('../vanilla/mobs.cjs')

const RINGS = [3, 6, 8, 12, 16] // blocks, as in bridge/events.py
const EVERY_TICKS = 2
const LITTLE_AIR = 10 // half bubbles of 20
const EYES = 1.62 // blocks above the feet
const HARMS = ['lava', 'fire', 'burning']
const LEVELS = ['peaceful', 'easy', 'normal', 'hard']
const DUSK_TICK = 12_542 // as in bridge/world.py
const DAWN_TICK = 23_460

/** Keeps `bot.isPeaceful`, and has `bot` emit `near` with the rows of the monsters around, and `endangered` with what harms it. */
module.exports = function danger (bot) {
  const told = { near: '', endangered: '' }
  let ticks = 0
  let level // unknown where the server tells none

  // Mineflayer (4.39.0) keeps none of the names that the protocol gives.
  for (const packet of ['login', 'respawn', 'difficulty']) {
    bot._client.on(packet, ({ difficulty }) => {
      level = LEVELS[difficulty] ?? difficulty ?? level
      bot.isPeaceful = level === LEVELS[0]
    })
  }

  bot.on('physicsTick', () => {
    if (++ticks % EVERY_TICKS) return
    tell('near', ringsOf(bot), rings => monsters(bot, rings))
    tell('endangered', harmsOf(bot), harms => harms)
  })

  function tell (event, now, shown) {
    const key = JSON.stringify(now)
    if (key === (told[event] || '[]')) return
    told[event] = key
    bot.emit(event, shown(now))
  }
}

/** [id, ring] of each monster that is near. */
function ringsOf ({ entities, entity: self }) {
  const found = []
  for (const entity of Object.values(entities)) {
    const away = entity.position.distanceTo(self.position)
    const ring = RINGS.findIndex(blocks => away <= blocks)
    if (ring >= 0 && mobOf(entity.name)?.isHostile) found.push([entity.id, ring])
  }
  return found.sort(([a], [b]) => a - b)
}

function monsters (bot, rings) {
  const near = new Set(rings.map(([id]) => id))
  return mobs(bot).filter(([, , , id]) => near.has(id))
}

function harmsOf (bot) {
  if (!(bot.health > 0)) return []
  const found = [...whereIn(bot)].filter(what => HARMS.includes(what))
  if (isBuried(bot)) found.push('buried')
  if (breathOf(bot) <= LITTLE_AIR) found.push('airless')
  if (!bot.isPeaceful && isNight(bot)) found.push('night')
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
