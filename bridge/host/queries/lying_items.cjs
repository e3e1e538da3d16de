'use strict'
// What lies on the ground around the feet, nearest first.
const { dropsWithin } = require('../acting/drops.cjs')

module.exports = function lyingItems (bot, { radius }) {
  return dropsWithin(bot, radius).flatMap(drop => {
    const item = drop.getDroppedItem?.() // unknown until its metadata has come
    return item ? [[item.name, item.count, drop.position.toArray()]] : []
  })
}
