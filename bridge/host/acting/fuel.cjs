'use strict'
// What burns in a furnace. A server refuses anything else in the fuel slot without a word, and
// the client's copy of the window would be wrong from then on. Source: minecraft.wiki/w/Smelting.

const WOOD = '(oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|bamboo|pale_oak)'
const SHAPES = [
  'log', 'wood', 'planks', 'stairs', 'slab', 'fence', 'fence_gate', 'door', 'trapdoor', 'button',
  'pressure_plate', 'sign', 'hanging_sign', 'sapling', 'boat', 'chest_boat', 'raft', 'chest_raft',
  'mosaic', 'mosaic_slab', 'mosaic_stairs', 'block', 'shelf'
].join('|')

const FUELS = [
  new RegExp(`^(stripped_)?${WOOD}_(${SHAPES})$`),
  /^wooden_(sword|pickaxe|axe|shovel|hoe)$/,
  /_(wool|carpet|banner)$/,
  /^(coal|charcoal|coal_block|lava_bucket|blaze_rod|dried_kelp_block|scaffolding|bamboo|stick|bowl)$/,
  /^(dead_bush|azalea|flowering_azalea|mangrove_roots|bow|crossbow|fishing_rod|ladder|loom|barrel)$/,
  /^(note_block|bookshelf|chiseled_bookshelf|lectern|jukebox|chest|trapped_chest|crafting_table)$/,
  /^(daylight_detector|cartography_table|fletching_table|smithing_table|composter|leaf_litter)$/,
  /^(log|log2|planks|wooden_slab|fence|fence_gate|sapling|boat|sign|wool|carpet|banner|noteblock)$/
]

function burns (name) {
  return FUELS.some(pattern => pattern.test(name))
}

module.exports = { burns }
