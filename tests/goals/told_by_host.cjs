'use strict'
// What the host's queries tell of a version: {catalogue, recipes}, as a bot in a world of it would
// be told. No world is needed: they read nothing but the registry.

const path = require('path')

const bridge = path.join(__dirname, '../../bridge')
const { load } = require(path.join(bridge, 'host/packages.cjs'))
const correctHarvest = require(path.join(bridge, 'vanilla/harvest.cjs'))
const readCatalogue = require(path.join(bridge, 'host/queries/read_catalogue.cjs'))
const readRecipes = require(path.join(bridge, 'host/queries/read_recipes.cjs'))

const version = process.argv[2]
const registry = load('prismarine-registry')(version)
correctHarvest(registry)
const { Recipe } = load('prismarine-recipe')(registry)
const bot = { version, registry, recipesAll: (id, variant) => Recipe.find(id, variant) }

console.log(JSON.stringify({ catalogue: readCatalogue(bot, {}), recipes: readRecipes(bot, {}) }))
