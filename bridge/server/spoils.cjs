'use strict'
// What a monster leaves: always so many of each thing, and now and then one thing of some, if a player
// slew it. After vanilla 1.16.5; source: minecraft.wiki/w/Drops, and entityLoot.json of minecraft-data.

/** [[item, count]] of a kind that `leaves` [item, least, most] and `rarely` [items, chance]; `random` gives 0..1. */
module.exports = function spoils ({ leaves, rarely: [rare, chance] = [[], 0] }, isSlain, random) {
  const among = count => Math.floor(random() * count)
  const always = leaves.map(([item, least, most]) => [item, least + among(most - least + 1)])
  const more = isSlain && random() < chance ? [[rare[among(rare.length)], 1]] : []
  return [...always, ...more].filter(([, count]) => count > 0)
}
