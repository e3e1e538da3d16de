'use strict'
// Items lying around.

const ITEM_ENTITIES = new Set(['item', 'item_stack', 'Item'])

/** Dropped items within some blocks of the feet, nearest first. */
function dropsWithin (bot, radius) {
  const here = bot.entity.position
  return Object.values(bot.entities)
    .filter(entity => ITEM_ENTITIES.has(entity.name) && entity.position.distanceTo(here) <= radius)
    .sort((a, b) => a.position.distanceTo(here) - b.position.distanceTo(here))
}

module.exports = { dropsWithin }
