'use strict'
// What a furnace makes of what, over all versions. Source: minecraft.wiki/w/Smelting.

const INGOTS = ['iron', 'gold', 'copper']
const FOOD = ['beef', 'porkchop', 'chicken', 'mutton', 'rabbit', 'cod', 'salmon']

const PRODUCTS = new Map(Object.entries({
  ...Object.fromEntries(INGOTS.flatMap(metal =>
    [`${metal}_ore`, `raw_${metal}`, `deepslate_${metal}_ore`].map(ore => [ore, `${metal}_ingot`]))),
  ...Object.fromEntries(FOOD.map(raw => [raw, `cooked_${raw}`])),
  nether_gold_ore: 'gold_ingot',
  ancient_debris: 'netherite_scrap',
  coal_ore: 'coal',
  deepslate_coal_ore: 'coal',
  lapis_ore: 'lapis_lazuli',
  deepslate_lapis_ore: 'lapis_lazuli',
  redstone_ore: 'redstone',
  deepslate_redstone_ore: 'redstone',
  diamond_ore: 'diamond',
  deepslate_diamond_ore: 'diamond',
  emerald_ore: 'emerald',
  deepslate_emerald_ore: 'emerald',
  nether_quartz_ore: 'quartz',
  potato: 'baked_potato',
  kelp: 'dried_kelp',
  cobblestone: 'stone',
  stone: 'smooth_stone',
  cobbled_deepslate: 'deepslate',
  sand: 'glass',
  red_sand: 'glass',
  sandstone: 'smooth_sandstone',
  red_sandstone: 'smooth_red_sandstone',
  quartz_block: 'smooth_quartz',
  basalt: 'smooth_basalt',
  clay_ball: 'brick',
  clay: 'terracotta',
  netherrack: 'nether_brick',
  stone_bricks: 'cracked_stone_bricks',
  nether_bricks: 'cracked_nether_bricks',
  polished_blackstone_bricks: 'cracked_polished_blackstone_bricks',
  deepslate_bricks: 'cracked_deepslate_bricks',
  deepslate_tiles: 'cracked_deepslate_tiles',
  cactus: 'green_dye',
  sea_pickle: 'lime_dye',
  wet_sponge: 'sponge',
  chorus_fruit: 'popped_chorus_fruit',
  resin_clump: 'resin_brick'
}))

const LOG = /^(stripped_)?(oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|pale_oak)_(log|wood)$/
const GEAR = /^(iron|chainmail|golden)_(sword|pickaxe|axe|shovel|hoe|spear|helmet|chestplate|leggings|boots|horse_armor)$/
const GLAZED = /^(.+)_terracotta$/

/** The item a furnace makes of this one; null when it makes nothing of it. */
function cooksTo (name) {
  if (PRODUCTS.has(name)) return PRODUCTS.get(name)
  if (LOG.test(name)) return 'charcoal'
  if (GEAR.test(name)) return name.startsWith('golden') ? 'gold_nugget' : 'iron_nugget'
  const [, colour] = GLAZED.exec(name) ?? []
  return colour && !colour.endsWith('glazed') ? `${colour}_glazed_terracotta` : null
}

module.exports = { cooksTo }
