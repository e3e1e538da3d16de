'use strict'
// What burns in a furnace and what it makes, over all versions: the reading of furnace.json.

const { burns, cooks, ticks_an_item: TICKS_AN_ITEM } = require('./furnace.json')

const FUELS = new Map(Object.entries(burns).flatMap(([ticks, names]) =>
  names.map(name => [name, ticks / TICKS_AN_ITEM])))

const PRODUCTS = new Map(Object.entries(cooks).map(([group, made]) => [group, turned(made)]))

/** [made, raws] the other way round: a map from each raw item to what it becomes. */
function turned (made) {
  return new Map(Object.entries(made).flatMap(([name, raws]) => raws.map(raw => [raw, name])))
}

module.exports = {
  /** Items one piece smelts; 0 when it does not burn. */
  itemsPerPiece: name => FUELS.get(name) ?? 0,
  burns: name => FUELS.has(name),
  /** The item this one becomes in a furnace that takes these groups (ores, food, rest); or null. */
  cooksTo: (name, groups) => groups.map(group => PRODUCTS.get(group).get(name)).find(Boolean) ?? null
}
