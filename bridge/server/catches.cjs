'use strict'
// What bites, by the vanilla 1.16.5 loot tables of fishing, written from knowledge of them. Luck,
// jungles, enchantments, potions and the wear of what was lost are left out.

const FISH = [[60, 'cod'], [25, 'salmon'], [2, 'tropical_fish'], [13, 'pufferfish']]
const JUNK = [
  [17, 'lily_pad'], [10, 'bowl'], [2, 'fishing_rod'], [10, 'leather'], [10, 'leather_boots'],
  [10, 'rotten_flesh'], [5, 'stick'], [5, 'string'], [10, 'bone'], [1, 'ink_sac', 10], [10, 'tripwire_hook']
]
const TREASURE = [[1, 'name_tag'], [1, 'saddle'], [1, 'bow'], [1, 'fishing_rod'], [1, 'nautilus_shell']]
const KINDS = [[85, FISH], [10, JUNK], [5, TREASURE]]

/** [item name, count] of one catch; `random` gives 0..1. */
module.exports = function caught (random) {
  const [, table] = drawn(KINDS, random)
  const [, name, count = 1] = drawn(table, random)
  return [name, count]
}

/** One of some rows, by their weights, which come first. */
function drawn (rows, random) {
  let left = random() * rows.reduce((sum, [weight]) => sum + weight, 0)
  return rows.find(([weight]) => (left -= weight) < 0)
}
