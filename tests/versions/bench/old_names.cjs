'use strict'
// Numbers and metadata that stand for some blocks and items up to 1.12, under their names of later.
// Written down from minecraft.wiki/w/Java_Edition_pre-flattening_data_values, not from what bots
// read them by.

module.exports = {
  granite: [1, 1],
  andesite: [1, 5],
  grass_block: [2, 0],
  coarse_dirt: [3, 1],
  podzol: [3, 2],
  oak_planks: [5, 0],
  birch_planks: [5, 2],
  dark_oak_planks: [5, 5],
  red_sand: [12, 1],
  oak_log: [17, 0],
  spruce_log: [17, 1],
  birch_log: [17, 2],
  birch_leaves: [18, 2],
  cobweb: [30, 0],
  grass: [31, 1],
  fern: [31, 2],
  white_wool: [35, 0],
  lime_wool: [35, 5],
  red_wool: [35, 14],
  dandelion: [37, 0],
  poppy: [38, 0],
  oxeye_daisy: [38, 8],
  infested_stone: [97, 0],
  stone_bricks: [98, 0],
  lily_pad: [111, 0],
  light_blue_terracotta: [159, 3],
  dark_oak_log: [162, 1],
  tall_grass: [175, 2],
  charcoal: [263, 1],
  oak_door: [324, 0],
  sugar_cane: [338, 0],
  cod: [349, 0],
  pufferfish: [349, 3],
  lapis_lazuli: [351, 4],
  bone_meal: [351, 15],
  melon_slice: [360, 0]
}
