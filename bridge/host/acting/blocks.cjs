'use strict'
// Families of blocks the protocol does not name, over all versions.

const AIR = new Set(['air', 'cave_air', 'void_air'])

// Source: minecraft.wiki/w/Replaceable_block
const REPLACEABLE = new Set([
  ...AIR, 'water', 'lava', 'bubble_column', 'grass', 'short_grass',
  'tall_grass', 'fern', 'large_fern', 'dead_bush',
  'seagrass', 'tall_seagrass', 'vine', 'glow_lichen', 'fire', 'soul_fire',
  'crimson_roots', 'warped_roots', 'nether_sprouts', 'hanging_roots', 'light', 'structure_void',
  'short_dry_grass', 'tall_dry_grass', 'bush', 'leaf_litter'
])

const CONTAINER = /^(chest|trapped_chest|ender_chest|barrel|dispenser|dropper|hopper|(\w+_)?shulker_box|(\w+_)*copper_chest)$/
const FURNACE = /^(furnace|blast_furnace|smoker)$/

// A click on these uses them instead of building against them.
const USABLE = /(_door|_trapdoor|trapdoor|_gate|_bed|_button|^lever|^repeater|^comparator|anvil|_sign|^jukebox|^note_block|^brewing_stand|^beacon|^loom|^cartography_table|^grindstone|^smithing_table|^stonecutter|^lectern|^enchanting_table|^crafting_table|^cake|^respawn_anchor|^crafter|^cauldron|^flower_pot)/

// What lies or grows in the country and nobody built; only this is broken to make way.
const NATURAL = /^(stone|grass_block|dirt|coarse_dirt|podzol|rooted_dirt|mycelium|mud|clay|gravel|sand|red_sand|(red_)?sandstone|granite|diorite|andesite|deepslate|tuff|calcite|dripstone_block|netherrack|basalt|blackstone|soul_sand|soul_soil|end_stone|snow|snow_block|(\w+_)?leaves|(\w+_)?ore|ancient_debris)$/

// Of these nobody builds walls.
const GROWN = /(leaves|_ore|^snow|^ancient_debris)$/

function isGrown (name) {
  return GROWN.test(name)
}

function isNatural (name) {
  return NATURAL.test(name)
}

function isAir (name) {
  return AIR.has(name)
}

/** Whether placing a block takes this one's place. */
function isReplaceable (block) {
  if (block.name === 'snow' && block.getProperties) return thinSnow(block)
  return REPLACEABLE.has(block.name)
}

// The layers on the ground are called `snow`, and the full block `snow_block`.
function thinSnow (block) {
  const { layers } = block.getProperties()
  return layers !== undefined && Number(layers) === 1
}

function isContainer (name) {
  return CONTAINER.test(name)
}

function isFurnace (name) {
  return FURNACE.test(name)
}

function isUsable (name) {
  return isContainer(name) || isFurnace(name) || USABLE.test(name)
}

module.exports = { isAir, isContainer, isFurnace, isGrown, isNatural, isReplaceable, isUsable }
