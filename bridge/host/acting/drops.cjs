'use strict'
// Items lying around.

const { load } = require('../packages.cjs')

const ITEM_ENTITIES = new Set(['item', 'item_stack', 'Item'])
const ITEMS = new WeakMap() // registry -> its class of items

/** Dropped items within some blocks of the feet, nearest first; not what somebody has just thrown
 *  for another player. */
function dropsWithin (bot, radius) {
  const here = bot.entity.position
  return Object.values(bot.entities)
    .filter(entity => isItem(entity) && !isForOthers(bot, entity))
    .filter(entity => entity.position.distanceTo(here) <= radius)
    .sort((a, b) => a.position.distanceTo(here) - b.position.distanceTo(here))
}

function isForOthers (bot, { id }) {
  const { to, until } = bot.throws?.get(id) ?? {} // kept by gifts.cjs
  return to !== undefined && performance.now() < until && Boolean(bot.players[to]?.entity)
}

/** Whether it is items that lie there. */
function isItem (entity) {
  return ITEM_ENTITIES.has(entity?.name)
}

/** The items of one that lies there; null while they are not known, and of anything else.
 *
 *  expected: getDroppedItem reads the stack where servers send it
 *  actual:   it looks at 8 on 1.8, where minecraft-data has it; Cuberite and flying-squid send it
 *            at 10. An item has one stack in its metadata, so that is it, wherever it stands.
 *  remove when: metadataIxOfItem of minecraft-data is right for every version */
function stackOf (bot, entity) {
  if (!isItem(entity)) return null
  const stack = Object.values(entity.metadata ?? {}).find(isStack)
  if (!stack) return null
  const Item = ITEMS.get(bot.registry) ?? itemsOf(bot.registry)
  return Item.fromNotch(stack)
}

// Up to 1.12 a stack is told by blockId, after that by itemId; an empty one has a number below 1.
function isStack (value) {
  return (value?.blockId ?? value?.itemId) > 0 && value.itemCount > 0
}

function itemsOf (registry) {
  const Item = load('prismarine-item')(registry)
  ITEMS.set(registry, Item)
  return Item
}

module.exports = { dropsWithin, isItem, stackOf }
