'use strict'
// What lies on the ground around the feet, nearest first.
const { dropsWithin, stackOf } = require('../acting/drops.cjs')

module.exports = function lyingItems (bot, { radius }) {
  return dropsWithin(bot, radius).flatMap(drop => {
    const item = stackOf(bot, drop)
    return item ? [[item.name, item.count, drop.position.toArray()]] : []
  })
}
