'use strict'
// Run by test_checks_in_node.py: what takes planks takes those of any wood, as vanilla does.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { layouts, schedule } = require(path.join(HOST, 'acting', 'recipes.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { namesOf } = require(path.join(HOST, 'names.cjs'))

// Numbers and metadata of 1.12. Source: minecraft.wiki, Java Edition pre-flattening data values.
const CARRIED = [{ name: 'dark_oak_planks', type: 5, metadata: 5, count: 64 }, { name: 'stick', type: 280, metadata: 0, count: 64 }]
// Source: minecraft.wiki, Planks and Stairs: which of them take any wood, and which their own.
const OF_ANY = ['stick', 'crafting_table', 'chest', 'wooden_pickaxe', 'wooden_sword', 'bowl', 'oak_trapdoor']
const OF_OAK = ['oak_stairs', 'oak_fence', 'oak_fence_gate', 'oak_door']

for (const version of ['1.8.8', '1.12.2']) {
  const registry = load('prismarine-registry')(version)
  const { Recipe } = load('prismarine-recipe')(registry)
  const bot = { registry, recipesAll: (id, metadata) => Recipe.find(id, metadata) }
  const canMake = (item, carried = CARRIED) => schedule(layouts(bot, namesOf(registry).item(item), 3), carried, 1) !== null

  for (const item of OF_ANY) {
    test(`${item} is made of dark oak in ${version}`, () => assert.ok(canMake(item)))
  }
  for (const item of OF_OAK) {
    test(`${item} is not made of dark oak in ${version}`, () => assert.ok(!canMake(item)))
  }
  test(`birch planks are made of birch, and carpet of wool of its colour, in ${version}`, () => {
    const wool = metadata => [{ type: 35, metadata, count: 64 }]
    const logs = metadata => [{ type: 17, metadata, count: 64 }]
    assert.ok(canMake('birch_planks', logs(2)) && !canMake('birch_planks', logs(0)))
    assert.ok(canMake('red_carpet', wool(14)) && !canMake('red_carpet', wool(0)))
  })
}
