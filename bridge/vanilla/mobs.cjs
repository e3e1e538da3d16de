'use strict'
// Which creatures there are, by the names of the newest version.
//
// expected: minecraft-data tells hostile from passive. actual: it knows neither in 1.17 and 1.18,
// misses bees, foxes and piglins in 1.16 and villagers from 1.21.8 on. remove when: it is whole.
const { hostile, passive, older_names: olderNames } = require('./mobs.json')

const MOBS = new Map([
  ...hostile.map(name => [name, { name, isHostile: true }]),
  ...passive.map(name => [name, { name, isHostile: false }])
])
for (const [older, name] of Object.entries(olderNames)) MOBS.set(older, MOBS.get(name))

/** {name, isHostile} of a creature by any version's name; null for what is none. */
function mobOf (entityName = '') {
  return MOBS.get(entityName) ?? MOBS.get(snakeCase(entityName)) ?? null
}

// minecraft-data writes FireResistance and CaveSpider, the game fire_resistance and cave_spider.
function snakeCase (name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

module.exports = { mobOf, snakeCase }
