'use strict'
// Run by test_running_of_actions.py: what takes planks takes those of any wood, as vanilla does.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { layouts, schedule } = require(path.join(HOST, 'acting', 'recipes.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

const DARK_OAK = 5 // metadata of planks
// Source: minecraft.wiki, Planks and Stairs: which of them take any wood, and which their own.
const OF_ANY = ['stick', 'crafting_table', 'chest', 'wooden_pickaxe', 'wooden_sword', 'bowl', 'trapdoor']
const OF_OAK = ['oak_stairs', 'fence', 'fence_gate', 'wooden_door']

for (const version of ['1.8.8', '1.12.2']) {
  const registry = load('prismarine-registry')(version)
  const { Recipe } = load('prismarine-recipe')(registry)
  const bot = { registry, recipesAll: (id, metadata) => Recipe.find(id, metadata) }
  const carried = [['planks', DARK_OAK], ['stick', 0]].map(([name, metadata]) => (
    { name, type: registry.itemsByName[name].id, metadata, count: 64 }))
  const canMake = item => schedule(layouts(bot, registry.itemsByName[item].id, 3), carried, 1) !== null

  for (const item of OF_ANY) {
    test(`${item} is made of dark oak in ${version}`, () => assert.ok(canMake(item)))
  }
  for (const item of OF_OAK) {
    test(`${item} is not made of dark oak in ${version}`, () => assert.ok(!canMake(item)))
  }
}
