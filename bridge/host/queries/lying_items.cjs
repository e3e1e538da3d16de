'use strict'
// What lies on the ground around the feet, nearest first; what is not recognised has no name.
const { dropsWithin, stackOf } = require('../acting/drops.cjs')

module.exports = function lyingItems (bot, { radius }) {
  return dropsWithin(bot, radius).map(drop => {
    const { name, count } = stackOf(bot, drop) ?? { name: null, count: 1 }
    return [name, count, drop.position.toArray()]
  })
}
