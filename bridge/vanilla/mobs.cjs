'use strict'
// Which creatures there are, by the names of the newest version.
//
// expected: minecraft-data tells hostile from passive. actual: it knows neither in 1.17 and 1.18,
// misses bees, foxes and piglins in 1.16 and villagers from 1.21.8 on. remove when: it is whole.
const { hostile, passive, older_names: olderNames } = require('./mobs.json')

const HOSTILE = new Set(hostile)
const PASSIVE = new Set(passive)
const NEWER = new Map(Object.entries(olderNames))

/** {name, isHostile} of a creature by any version's name; null for what is none. */
function mobOf (entityName) {
  const snake = snakeCase(entityName ?? '')
  const name = NEWER.get(snake) ?? snake
  if (!HOSTILE.has(name) && !PASSIVE.has(name)) return null
  return { name, isHostile: HOSTILE.has(name) }
}

// minecraft-data writes FireResistance and CaveSpider, the game fire_resistance and cave_spider.
function snakeCase (name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

module.exports = { mobOf, snakeCase }
