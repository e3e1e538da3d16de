'use strict'
// Every crafting recipe of the server's version, items as numbers in one list of names. Null when
// the asker already knows that version's.
const { recipesOf } = require('../acting/recipes.cjs')
const { namesOf } = require('../names.cjs')

module.exports = function readRecipes (bot, { known }) {
  if (known === bot.version) return null
  const names = namesOf(bot.registry)
  const { items } = names
  const numbers = new Map(items.map(({ name }, number) => [name, number]))
  const numberOf = ({ id, metadata }) => numbers.get(names.itemOf(id, metadata ?? 0)?.name)
  const recipes = items.flatMap(item => recipesOf(bot, item))
  return {
    version: bot.version,
    items: items.map(({ name }) => name),
    recipes: distinct(recipes.map(recipe => row(recipe, numberOf)).filter(isWhole).filter(isOfUse))
  }
}

// The data of 1.8 names a few ingredients that are no items.
function isWhole ([makes, inputs, returns]) {
  return [makes, ...inputs, ...returns].every(([item]) => item !== undefined)
}

// The data of 1.8 does not say which colour wool is dyed: it makes white wool of white wool.
function isOfUse ([[made, count], inputs]) {
  return !inputs.some(([item, used]) => item === made && used >= count)
}

// The data of 1.8 lists what is made of worn things once for each state of wear.
function distinct (rows) {
  return [...new Map(rows.map(row => [JSON.stringify(row), row])).values()]
}

/** [makes, inputs, returns, at table, shape]; a stack is [item, count]. */
function row ({ result, inShape, outShape, ingredients, requiresTable }, numberOf) {
  const grid = inShape?.map(line => line.map(one => one.id === -1 ? null : numberOf(one)))
  const loose = ingredients?.map(numberOf) ?? []
  const left = outShape?.flat().filter(({ id }) => id !== -1).map(numberOf) ?? []
  return [
    [numberOf(result), result.count],
    stacks([...(grid?.flat() ?? []).filter(item => item !== null), ...loose]),
    stacks(left),
    requiresTable,
    grid ?? null
  ]
}

function stacks (items) {
  const counts = new Map()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts]
}
