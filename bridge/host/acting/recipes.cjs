'use strict'
// Which item goes into which cell of a crafting grid, given what is carried.

const { namesOf } = require('../names.cjs')
const { load } = require('../packages.cjs')

const WOODEN = new WeakMap() // registry -> its shapes in which the wood decides what is made

/** Every recipe of an item as {needsTable, made, cells: [[cell, [ingredient, ...]], ...],
 *  leavings: {cell: ingredient}} on a grid of this width; the plain ones first, then for each
 *  shape one whose cells take any of the alternatives (planks of several woods in one chest). */
function layouts (bot, item, width) {
  const plain = recipesOf(bot, item).map(recipe => layout(recipe, width))
  return [...plain, ...blends(plain)]
}

/** Every recipe of an item. Where any of some kinds will do, up to 1.12, it is one for each. */
function recipesOf (bot, { id, metadata }) {
  const all = bot.recipesAll(id, null, true)
  const own = metadata === undefined ? all : all.filter(({ result }) => (result.metadata ?? 0) === metadata)
  const names = namesOf(bot.registry)
  return own.flatMap(recipe => ofEachKind(names, ofAnyWood(bot, recipe), isToldApart(all, recipe)))
}

/** Whether nothing but the kind of what goes in can decide which kind comes out. */
function isToldApart (all, { result, ...recipe }) {
  const shape = JSON.stringify(cellsOf(recipe))
  return all.some(other => other.result.metadata !== result.metadata && JSON.stringify(cellsOf(other)) === shape)
}

function ofEachKind (names, recipe, isMatched) {
  const open = cellsOf(recipe).flat().filter(one => one.metadata == null && names.kindsOf(one.id).length)
  const made = names.itemOf(recipe.result.id, recipe.result.metadata)
  return [...new Set(open.map(({ id }) => id))].reduce((recipes, id) => {
    const kinds = names.kindsOf(id).filter(kind => mayGoIn(kind, made, isMatched))
    return recipes.flatMap(one => kinds.map(({ metadata }) => changed(one, cell => (
      cell.id === id && cell.metadata == null ? { ...cell, metadata } : cell))))
  }, [recipe])
}

// Carpet has the colour of its wool, and only white wool is dyed; the data of 1.8 leaves both out.
function mayGoIn ({ id, metadata, name }, made, isMatched) {
  if (id === made.id) return metadata === 0
  return !isMatched || made.name.startsWith(name.replace(/[^_]+$/, ''))
}

function changed (recipe, change) {
  return { ...recipe, inShape: recipe.inShape?.map(row => row.map(change)), ingredients: recipe.ingredients?.map(change) }
}

function layout (recipe, width) {
  const cells = []
  const leavings = {}
  recipe.inShape?.forEach((row, y) => row.forEach((ingredient, x) => {
    if (ingredient.id !== -1) cells.push([cellAt(x, y, width), [ingredient]])
  }))
  recipe.outShape?.forEach((row, y) => row.forEach((ingredient, x) => {
    if (ingredient.id !== -1) leavings[cellAt(x, y, width)] = ingredient
  }))
  const free = freeCells(cells, width)
  recipe.ingredients?.forEach(ingredient => cells.push([free.shift(), [ingredient]]))
  return { needsTable: recipe.requiresTable, made: recipe.result.count, cells, leavings }
}

// expected: up to 1.12 vanilla makes what has no wood of its own, as a pickaxe, of planks of any
// actual:   minecraft-data names oak (metadata 0) alone in those recipes
// remove when: its recipes leave the metadata of such planks out
function ofAnyWood ({ registry }, recipe) {
  const planks = registry.itemsByName.planks?.id // the one item of all woods, up to 1.12
  if (planks === undefined || woodenShapes(registry, planks).has(shapeOf(recipe, planks))) return recipe
  return changed(recipe, one => one.id === planks ? { ...one, metadata: null } : one)
}

// The shapes in which the wood decides what is made, as stairs: recipes name another than oak.
function woodenShapes (registry, planks) {
  if (!WOODEN.has(registry)) {
    const { Recipe } = load('prismarine-recipe')(registry)
    const isOther = one => one.id === planks && one.metadata > 0
    const all = registry.itemsArray.flatMap(({ id }) => Recipe.find(id, null))
    const chosen = all.filter(recipe => cellsOf(recipe).flat().some(isOther))
    WOODEN.set(registry, new Set(chosen.map(recipe => shapeOf(recipe, planks))))
  }
  return WOODEN.get(registry)
}

function shapeOf (recipe, planks) {
  return JSON.stringify(cellsOf(recipe).map(row => row.map(({ id, metadata }) => id === planks ? id : [id, metadata])))
}

function cellsOf ({ inShape, ingredients }) {
  return inShape ?? [ingredients ?? []]
}

function cellAt (x, y, width) {
  return 1 + x + width * y // cell 0 holds the result
}

function freeCells (cells, width) {
  const taken = new Set(cells.map(([cell]) => cell))
  return Array.from({ length: width * width }, (_, i) => i + 1).filter(cell => !taken.has(cell))
}

function blends (plain) {
  const shapes = Map.groupBy(plain, ({ cells, made }) => JSON.stringify([made, cells.map(([c]) => c)]))
  return [...shapes.values()].filter(alike => alike.length > 1).map(alike => ({
    ...alike[0],
    cells: alike[0].cells.map(([cell], i) => [cell, unique(alike.map(({ cells }) => cells[i][1][0]))])
  }))
}

function unique (ingredients) {
  return [...new Map(ingredients.map(one => [`${one.id}:${one.metadata}`, one])).values()]
}

/** The crafts that make `count`, as [{layout, placing: [[cell, ingredient], ...]}, ...]; null
 *  when what is carried does not suffice. Plain layouts come first. */
function schedule (layouts, items, count) {
  const stock = items.map(item => ({ item, count: item.count }))
  const crafts = []
  for (let made = 0; made < count; made += crafts.at(-1).layout.made) {
    const next = nextCraft(layouts, stock)
    if (!next) return null
    crafts.push(next)
  }
  return crafts
}

function nextCraft (layouts, stock) {
  for (const layout of layouts) {
    const placing = assign(layout, stock)
    if (placing) return { layout, placing }
  }
  return null
}

/** One ingredient for each cell, taken out of the stock; null, and nothing taken, if one lacks. */
function assign ({ cells }, stock) {
  const taken = []
  const sources = one => stock.filter(({ item, count }) => count > 0 && isIngredient(item, one))
  const plenty = one => total(sources(one).map(({ item, count }) => [item, count]))
  const choosy = [...cells].sort((a, b) => a[1].length - b[1].length)
  const placing = []
  for (const [cell, alternatives] of choosy) {
    const best = alternatives.reduce((a, b) => plenty(b) > plenty(a) ? b : a)
    const [source] = sources(best)
    if (!source) {
      for (const back of taken) back.count++
      return null
    }
    source.count--
    taken.push(source)
    placing.push([cell, best])
  }
  return placing
}

function isIngredient (item, { id, metadata }) {
  return item.type === id && (metadata == null || item.metadata === metadata)
}

/** What lacks for `count`, as [[name, number], ...], by the layout that lacks least. */
function lacking (bot, layouts, items, count) {
  const wants = layouts.map(layout => shortage(bot, layout, items, count))
  return wants.reduce((a, b) => total(b) < total(a) ? b : a)
}

function shortage (bot, { cells, made }, items, count) {
  const need = new Map()
  const times = Math.ceil(count / made)
  const names = namesOf(bot.registry)
  for (const [, [{ id, metadata }]] of cells) {
    const { name } = names.itemOf(id, metadata ?? 0)
    need.set(name, (need.get(name) ?? 0) + times)
  }
  const have = name => total(items.filter(item => item.name === name).map(item => [item, item.count]))
  return [...need].map(([name, wanted]) => [name, wanted - have(name)])
    .filter(([, lack]) => lack > 0)
}

function total (rows) {
  return rows.reduce((sum, [, count]) => sum + count, 0)
}

module.exports = { isIngredient, lacking, layouts, recipesOf, schedule }
