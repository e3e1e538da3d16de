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

/** The items of one that lies there; null while they are not known, and of anything else.
 *
 *  expected: getDroppedItem tells nothing until a server has told it. actual: it throws.
 *  remove when: fromNotch of prismarine-item takes undefined in all versions */
function stackOf (bot, entity) {
  const field = bot.registry.supportFeature('metadataIxOfItem')
  return entity?.metadata?.[field] === undefined ? null : entity.getDroppedItem?.() ?? null
}

module.exports = { dropsWithin, stackOf }
