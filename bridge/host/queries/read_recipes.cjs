'use strict'
// Every crafting recipe of the server's version, items as numbers in one list of names. Null when
// the asker already knows that version's.

module.exports = function readRecipes (bot, { known }) {
  if (known === bot.version) return null
  const { itemsArray } = bot.registry
  const numbers = new Map(itemsArray.map(({ id }, number) => [id, number]))
  const recipes = itemsArray.flatMap(({ id }) => bot.recipesAll(id, null, true))
  return {
    version: bot.version,
    items: itemsArray.map(({ name }) => name),
    recipes: distinct(recipes.map(recipe => row(recipe, numbers)).filter(isWhole))
  }
}

// The data of 1.8 names a few ingredients that are no items.
function isWhole ([makes, inputs, returns]) {
  return [makes, ...inputs, ...returns].every(([item]) => item !== undefined)
}

// Up to 1.12 variants of an item share its name, and with it the row.
function distinct (rows) {
  return [...new Map(rows.map(row => [JSON.stringify(row), row])).values()]
}

/** [makes, inputs, returns, at table, shape]; a stack is [item, count]. */
function row ({ result, inShape, outShape, ingredients, requiresTable }, numbers) {
  const grid = inShape?.map(line => line.map(({ id }) => id === -1 ? null : numbers.get(id)))
  const loose = ingredients?.map(({ id }) => numbers.get(id)) ?? []
  const left = outShape?.flat().filter(({ id }) => id !== -1).map(({ id }) => numbers.get(id)) ?? []
  return [
    [numbers.get(result.id), result.count],
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
