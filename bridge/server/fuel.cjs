'use strict'
// What burns in a furnace, and how many items it smelts. Source: the vanilla 1.16.5 table
// (AbstractFurnaceBlockEntity.getFuel; ticks divided by 200), written from knowledge of it.

const WOODS = ['oak', 'spruce', 'birch', 'jungle', 'acacia', 'dark_oak'] // crimson and warped do not burn
const COLOURS = [
  'white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'
]

const BY_ITEMS = {
  100: ['lava_bucket'],
  80: ['coal_block'],
  20: ['dried_kelp_block'],
  12: ['blaze_rod'],
  8: ['coal', 'charcoal'],
  6: WOODS.map(wood => `${wood}_boat`),
  2: ['scaffolding'],
  1.5: [
    ...WOODS.flatMap(wood => [
      `${wood}_log`, `stripped_${wood}_log`, `${wood}_wood`, `stripped_${wood}_wood`,
      `${wood}_planks`, `${wood}_stairs`, `${wood}_trapdoor`, `${wood}_pressure_plate`,
      `${wood}_fence`, `${wood}_fence_gate`
    ]),
    ...COLOURS.map(colour => `${colour}_banner`),
    'note_block', 'bookshelf', 'lectern', 'jukebox', 'chest', 'trapped_chest', 'crafting_table',
    'daylight_detector', 'bow', 'crossbow', 'fishing_rod', 'ladder', 'loom', 'barrel',
    'cartography_table', 'fletching_table', 'smithing_table', 'composter'
  ],
  1: [
    ...WOODS.flatMap(wood => [`${wood}_sign`, `${wood}_door`]),
    ...['sword', 'pickaxe', 'axe', 'shovel', 'hoe'].map(tool => `wooden_${tool}`)
  ],
  0.75: WOODS.map(wood => `${wood}_slab`),
  0.5: [
    ...WOODS.flatMap(wood => [`${wood}_sapling`, `${wood}_button`]),
    ...COLOURS.map(colour => `${colour}_wool`),
    'stick', 'bowl', 'dead_bush'
  ],
  0.335: COLOURS.map(colour => `${colour}_carpet`),
  0.25: ['bamboo']
}

const ITEMS = new Map(
  Object.entries(BY_ITEMS).flatMap(([count, names]) => names.map(name => [name, Number(count)]))
)

module.exports = {
  /** Items one piece smelts; 0 when it does not burn. */
  itemsPerPiece: name => ITEMS.get(name) ?? 0,
  burns: name => ITEMS.has(name)
}
