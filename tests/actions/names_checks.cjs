'use strict'
// Run by test_checks_in_node.py: what old versions tell by numbers has the names of later ones.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { nameAnew, namesOf } = require(path.join(HOST, 'names.cjs'))
const { drops } = require(path.join(HOST, 'acting', 'loot.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
nameAnew()

// Source: minecraft.wiki/w/Java_Edition_pre-flattening_data_values, written down by hand.
const BLOCKS = [
  [1, 0, 'stone'], [1, 1, 'granite'], [1, 5, 'andesite'], [2, 0, 'grass_block'], [3, 0, 'dirt'],
  [3, 1, 'coarse_dirt'], [3, 2, 'podzol'], [5, 2, 'birch_planks'], [6, 3, 'jungle_sapling'],
  [8, 3, 'water'], [9, 0, 'water'], [10, 0, 'lava'], [12, 1, 'red_sand'], [17, 0, 'oak_log'],
  [17, 2, 'birch_log'], [17, 6, 'birch_log'], [18, 1, 'spruce_leaves'], [18, 9, 'spruce_leaves'],
  [30, 0, 'cobweb'], [31, 1, 'grass'], [31, 2, 'fern'], [32, 0, 'dead_bush'], [35, 0, 'white_wool'],
  [35, 14, 'red_wool'], [37, 0, 'dandelion'], [38, 0, 'poppy'], [38, 8, 'oxeye_daisy'], [43, 0, 'stone_slab'],
  [50, 5, 'torch'], [50, 1, 'wall_torch'], [52, 0, 'spawner'], [59, 7, 'wheat'], [61, 2, 'furnace'],
  [62, 2, 'furnace'], [64, 0, 'oak_door'], [74, 0, 'redstone_ore'], [78, 0, 'snow'], [80, 0, 'snow_block'],
  [83, 0, 'sugar_cane'], [85, 0, 'oak_fence'], [97, 0, 'infested_stone'], [98, 0, 'stone_bricks'],
  [103, 0, 'melon'], [111, 0, 'lily_pad'], [159, 3, 'light_blue_terracotta'], [161, 1, 'dark_oak_leaves'],
  [162, 1, 'dark_oak_log'], [175, 2, 'tall_grass']
]
const ITEMS = [
  [3, 2, 'podzol'], [5, 5, 'dark_oak_planks'], [17, 2, 'birch_log'], [35, 14, 'red_wool'], [263, 0, 'coal'],
  [263, 1, 'charcoal'], [324, 0, 'oak_door'], [333, 0, 'oak_boat'], [338, 0, 'sugar_cane'], [349, 0, 'cod'],
  [349, 3, 'pufferfish'], [351, 4, 'lapis_lazuli'], [351, 15, 'bone_meal'], [360, 0, 'melon_slice'],
  [162, 0, 'acacia_log'], [278, 0, 'diamond_pickaxe'], [278, 57, 'diamond_pickaxe'], [322, 1, 'enchanted_golden_apple']
]
// Source: minecraft.wiki on each of these: what falls for sure, broken with a good tool.
const DROPS = [
  ['birch_log', 'birch_log'], ['dark_oak_log', 'dark_oak_log'], ['red_wool', 'red_wool'], ['stone', 'cobblestone'],
  ['granite', 'granite'], ['dirt', 'dirt'], ['coarse_dirt', 'coarse_dirt'], ['podzol', 'dirt'], ['grass_block', 'dirt'],
  ['lapis_ore', 'lapis_lazuli'], ['melon', 'melon_slice'], ['sugar_cane', 'sugar_cane'], ['iron_ore', 'iron_ore'],
  ['redstone_ore', 'redstone'], ['furnace', 'furnace'], ['oak_door', 'oak_door']
]

for (const version of ['1.8.8', '1.9.4', '1.12.2']) {
  const registry = load('prismarine-registry')(version)
  const names = namesOf(registry)
  const Block = load('prismarine-block')(registry)
  const Item = load('prismarine-item')(registry)

  test(`each block is named by its metadata in ${version}, and found by that name`, () => {
    for (const [id, metadata, name] of BLOCKS) {
      const state = id << 4 | metadata
      assert.strictEqual(Block.fromStateId(state, 0).name, name)
      assert.strictEqual(names.blockOf(state).name, name)
      assert.ok(names.statesOf(names.block(name)).includes(state), name)
    }
  })

  test(`each item is named by its metadata in ${version}, and made again by that name`, () => {
    for (const [id, metadata, name] of ITEMS) {
      assert.strictEqual(new Item(id, 1, metadata).name, name)
      const item = names.item(name)
      assert.deepStrictEqual([item.id, item.metadata], [id, metadata === 57 ? 0 : metadata])
    }
  })

  test(`nothing is told by a name of ${version} that is not used since`, () => {
    const old = ['log2', 'leaves2', 'planks', 'wool', 'tallgrass', 'reeds', 'lit_furnace', 'snow_layer', 'waterlily']
    const told = new Set([...names.blocks, ...names.items].map(({ name }) => name))
    assert.deepStrictEqual(old.filter(name => told.has(name)), [])
  })

  test(`each kind drops its own in ${version}`, () => {
    for (const [name, item] of DROPS) assert.strictEqual(drops(registry, names.block(name))[0], item)
  })
}

// Source: minecraft.wiki/w/Food, since 1.8.
const FOOD = { apple: 4, bread: 5, cooked_beef: 8, cod: 2, melon_slice: 2, enchanted_golden_apple: 4, carrot: 3, stick: undefined }
for (const version of ['1.8.8', '1.12.2', '1.16.5', '1.21.4']) {
  test(`each food of ${version} is told by what it gives`, () => {
    const names = namesOf(load('prismarine-registry')(version))
    for (const [name, points] of Object.entries(FOOD)) {
      if (names.item(name)) assert.strictEqual(names.food(name)?.foodPoints, points, name)
    }
  })
}

test('a version that has the names of today keeps them', () => {
  const registry = load('prismarine-registry')('1.16.5')
  const { defaultState } = registry.blocksByName.grass_path
  assert.strictEqual(load('prismarine-block')(registry).fromStateId(defaultState, 0).name, 'grass_path')
  assert.strictEqual(namesOf(registry).item('grass_path'), registry.itemsByName.grass_path)
})
