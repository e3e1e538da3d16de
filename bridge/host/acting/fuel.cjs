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

// Items that one piece smelts; what burns and is not named here smelts one and a half.
const SMELTS = [
  [/^lava_bucket$/, 100],
  [/^coal_block$/, 80],
  [/^dried_kelp_block$/, 20],
  [/^blaze_rod$/, 12],
  [/^(coal|charcoal)$/, 8],
  [/(_|^)(chest_)?(boat|raft)$/, 6],
  [/_hanging_sign$/, 4],
  [/(_|^)sign$|_door$|^wooden_(sword|pickaxe|axe|shovel|hoe)$/, 1],
  [/^(\w+_)?(slab|mosaic_slab)$/, 0.75],
  [/(_|^)(sapling|button|wool)$|^(stick|bowl|dead_bush|azalea|flowering_azalea|leaf_litter)$/, 0.5],
  [/(_|^)carpet$/, 0.335],
  [/^(bamboo|scaffolding)$/, 0.25]
]

/** Items that one piece smelts; 0 when it does not burn. */
function burnsFor (name) {
  if (!burns(name)) return 0
  return SMELTS.find(([pattern]) => pattern.test(name))?.[1] ?? 1.5
}

module.exports = { burns, burnsFor }
