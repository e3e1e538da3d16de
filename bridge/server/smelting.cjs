'use strict'
// What a furnace makes of what. Source: the vanilla 1.16.5 recipes of type smelting, blasting and
// smoking, written from knowledge of them.

const kinds = require('./kinds.cjs')

const WOODS = ['oak', 'spruce', 'birch', 'jungle', 'acacia', 'dark_oak']
const COLOURS = [
  'white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'
]
const GEAR = [
  'sword', 'pickaxe', 'axe', 'shovel', 'hoe', 'helmet', 'chestplate', 'leggings', 'boots',
  'horse_armor'
]
const ARMOUR = ['helmet', 'chestplate', 'leggings', 'boots']

const ORES = {
  iron_ore: 'iron_ingot',
  gold_ore: 'gold_ingot',
  nether_gold_ore: 'gold_ingot',
  coal_ore: 'coal',
  lapis_ore: 'lapis_lazuli',
  redstone_ore: 'redstone',
  diamond_ore: 'diamond',
  emerald_ore: 'emerald',
  nether_quartz_ore: 'quartz',
  ancient_debris: 'netherite_scrap',
  ...all(GEAR.map(piece => `iron_${piece}`), 'iron_nugget'),
  ...all(ARMOUR.map(piece => `chainmail_${piece}`), 'iron_nugget'),
  ...all(GEAR.map(piece => `golden_${piece}`), 'gold_nugget')
}

const FOOD = {
  beef: 'cooked_beef',
  porkchop: 'cooked_porkchop',
  chicken: 'cooked_chicken',
  mutton: 'cooked_mutton',
  rabbit: 'cooked_rabbit',
  cod: 'cooked_cod',
  salmon: 'cooked_salmon',
  potato: 'baked_potato',
  kelp: 'dried_kelp'
}

const OTHER = {
  cobblestone: 'stone',
  stone: 'smooth_stone',
  sand: 'glass',
  red_sand: 'glass',
  sandstone: 'smooth_sandstone',
  red_sandstone: 'smooth_red_sandstone',
  quartz_block: 'smooth_quartz',
  clay_ball: 'brick',
  clay: 'terracotta',
  netherrack: 'nether_brick',
  nether_bricks: 'cracked_nether_bricks',
  stone_bricks: 'cracked_stone_bricks',
  polished_blackstone_bricks: 'cracked_polished_blackstone_bricks',
  cactus: 'green_dye',
  sea_pickle: 'lime_dye',
  chorus_fruit: 'popped_chorus_fruit',
  wet_sponge: 'sponge',
  ...all(WOODS.flatMap(wood => [
    `${wood}_log`, `stripped_${wood}_log`, `${wood}_wood`, `stripped_${wood}_wood`
  ]), 'charcoal'),
  ...Object.fromEntries(COLOURS.map(colour =>
    [`${colour}_terracotta`, `${colour}_glazed_terracotta`]))
}

const TABLES = new Map([
  [kinds.furnace, { ...ORES, ...FOOD, ...OTHER }],
  [kinds.blast_furnace, ORES],
  [kinds.smoker, FOOD]
])
const TWICE_AS_FAST = new Set([kinds.blast_furnace, kinds.smoker])

module.exports = {
  /** The item one piece becomes in this kind of furnace, or null. */
  yieldOf: (kind, name) => TABLES.get(kind)?.[name] ?? null,
  speedOf: kind => (TWICE_AS_FAST.has(kind) ? 2 : 1)
}

function all (names, result) {
  return Object.fromEntries(names.map(name => [name, result]))
}
