'use strict'
// Item stacks: making, copying, comparing, and what is left of an item that was used up.

const { load } = require('./packages.cjs')

const REMAINS = {
  milk_bucket: 'bucket',
  water_bucket: 'bucket',
  lava_bucket: 'bucket',
  honey_bottle: 'glass_bottle',
  dragon_breath: 'glass_bottle',
  mushroom_stew: 'bowl',
  rabbit_stew: 'bowl',
  beetroot_soup: 'bowl',
  suspicious_stew: 'bowl'
}

module.exports = function items (registry) {
  const Item = load('prismarine-item')(registry)

  /** A stack by name; throws on an unknown one. */
  function named (name, count = 1) {
    const kind = registry.itemsByName[name]
    if (!kind) throw new Error(`unknown item ${name}`)
    return new Item(kind.id, count)
  }

  /** A copy with another count; null when nothing is left. */
  function portion (item, count = item.count) {
    return count > 0 ? new Item(item.type, count, item.metadata, item.nbt || undefined) : null
  }

  /** What remains when one of these is used up, or null. */
  function remains (item) {
    return REMAINS[item.name] ? named(REMAINS[item.name]) : null
  }

  return { Item, named, portion, same, remains, onWire: item => Item.toNotch(item || null), fromWire: Item.fromNotch }
}

/** Whether two stacks may become one. */
function same (one, other) {
  return Boolean(one && other) && one.type === other.type &&
    JSON.stringify(one.nbt || null) === JSON.stringify(other.nbt || null)
}
