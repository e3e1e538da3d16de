'use strict'
// The exceptions of loot.cjs, as data.

const APPLE = new Set(['oak', 'dark_oak'])

// What shears alone bring down; leaves fall whole to them too.
const SHORN = {
  ...Object.fromEntries([
    'grass', 'fern', 'dead_bush', 'vine', 'seagrass', 'cobweb', 'nether_sprouts', 'twisting_vines',
    'weeping_vines'
  ].map(name => [name, [[name, 1]]])),
  twisting_vines_plant: [['twisting_vines', 1]],
  weeping_vines_plant: [['weeping_vines', 1]],
  tall_grass: [['grass', 2]],
  large_fern: [['fern', 2]],
  tall_seagrass: [['seagrass', 2]]
}

const NOTHING = new RegExp(`^(${[
  'vine', 'seagrass', 'tall_seagrass', 'nether_sprouts', 'ice', 'packed_ice', 'blue_ice',
  'frosted_ice', '(.+_stained_)?glass(_pane)?', 'infested_.+', 'spawner', 'cake', 'fire',
  'soul_fire', 'turtle_egg', 'bee_nest', 'mushroom_stem', '(dead_)?\\w+_coral(_fan|_wall_fan)?',
  '(attached_)?(melon|pumpkin)_stem', 'nether_portal'
].join('|')})$`)

const one = (name, low, high = low) => count => [[name, count(low, high)]]
const seedsOf = (count, random) => [['wheat_seeds', random() < 0.125 ? 1 : 0]]
const vines = name => (count, random) => [[name, random() < 0.33 ? 1 : 0]]
const bonus = (random, least) => least + [0, 0, 0].filter(() => random() < 0.5714286).length

const MANY = {
  stone: one('cobblestone', 1),
  grass_block: one('dirt', 1),
  coal_ore: one('coal', 1),
  diamond_ore: one('diamond', 1),
  emerald_ore: one('emerald', 1),
  nether_quartz_ore: one('quartz', 1),
  lapis_ore: one('lapis_lazuli', 4, 9),
  redstone_ore: one('redstone', 4, 5),
  nether_gold_ore: one('gold_nugget', 2, 6),
  clay: one('clay_ball', 4),
  glowstone: one('glowstone_dust', 2, 4),
  sea_lantern: one('prismarine_crystals', 2, 3),
  melon: one('melon_slice', 3, 7),
  snow_block: one('snowball', 4),
  bookshelf: one('book', 3),
  ender_chest: one('obsidian', 8),
  campfire: one('charcoal', 2),
  soul_campfire: one('soul_soil', 1),
  cobweb: one('string', 1),
  dead_bush: one('stick', 0, 2),
  brown_mushroom_block: count => [['brown_mushroom', Math.max(0, count(-6, 2))]],
  red_mushroom_block: count => [['red_mushroom', Math.max(0, count(-6, 2))]],
  gravel: (count, random) => [[random() < 0.1 ? 'flint' : 'gravel', 1]],
  gilded_blackstone: (count, random) =>
    random() < 0.1 ? [['gold_nugget', count(2, 5)]] : [['gilded_blackstone', 1]],
  grass: seedsOf,
  fern: seedsOf,
  tall_grass: seedsOf,
  large_fern: seedsOf,
  twisting_vines: vines('twisting_vines'),
  twisting_vines_plant: vines('twisting_vines'),
  weeping_vines: vines('weeping_vines'),
  weeping_vines_plant: vines('weeping_vines'),
  chorus_plant: one('chorus_fruit', 0, 1),
  snow: (count, random, state) => [['snowball', Number(state.layers)]],
  sea_pickle: (count, random, state) => [['sea_pickle', Number(state.pickles)]],
  composter: one('composter', 1),
  beehive: one('beehive', 1)
}

const CROPS = {
  wheat: (age, count, random) =>
    age === 7 ? [['wheat', 1], ['wheat_seeds', bonus(random, 1)]] : [['wheat_seeds', 1]],
  beetroots: (age, count, random) =>
    age === 3 ? [['beetroot', 1], ['beetroot_seeds', bonus(random, 1)]] : [['beetroot_seeds', 1]],
  carrots: (age, count, random) => [['carrot', age === 7 ? bonus(random, 2) : 1]],
  potatoes: (age, count, random) => [
    ['potato', age === 7 ? bonus(random, 2) : 1],
    ['poisonous_potato', age === 7 && random() < 0.02 ? 1 : 0]
  ],
  nether_wart: (age, count) => [['nether_wart', age === 3 ? count(2, 4) : 1]],
  cocoa: age => [['cocoa_beans', age === 2 ? 3 : 1]],
  sweet_berry_bush: (age, count) => [['sweet_berries', age === 3 ? count(2, 3) : age === 2 ? count(1, 2) : 0]]
}

module.exports = { APPLE, CROPS, MANY, NOTHING, SHORN }
