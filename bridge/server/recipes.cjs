'use strict'
// What a crafting grid makes. minecraft-data lists a recipe once for each wood or stone; vanilla
// lets them mix. So variants of one recipe (same shape, same result) are laid over each other, and
// every cell accepts what any variant has there.

const EMPTY = -1

/** A function from grid cells (item ids, -1 empty) and grid width to {id, count} or null. */
module.exports = function recipes (registry) {
  const shaped = new Map() // shape -> [{result, cells: [Set]}]
  const shapeless = new Map() // sorted ids -> result
  for (const recipe of Object.values(registry.recipes).flat()) {
    if (recipe.inShape) for (const rows of mirrored(recipe.inShape)) layOver(shaped, rows, recipe.result)
    else shapeless.set(sorted(recipe.ingredients.map(idOf)), recipe.result)
  }
  return (cells, width) => {
    const rows = trim(toRows(cells, width))
    if (!rows.length) return null
    const ids = rows.flat()
    const known = shaped.get(shapeOf(rows)) || []
    const found = known.find(recipe => recipe.cells.every((accepted, i) => accepted.has(ids[i])))
    return found ? found.result : shapeless.get(sorted(ids.filter(id => id !== EMPTY))) || null
  }
}

function layOver (shaped, rows, result) {
  const shape = shapeOf(rows)
  if (!shaped.has(shape)) shaped.set(shape, [])
  const known = shaped.get(shape)
  let recipe = known.find(({ result: { id, count } }) => id === result.id && count === result.count)
  if (!recipe) known.push(recipe = { result, cells: rows.flat().map(() => new Set()) })
  rows.flat().forEach((id, i) => recipe.cells[i].add(id))
}

/** The rows of a recipe, full and even, as they are and left to right. */
function mirrored (inShape) {
  const width = Math.max(...inShape.map(row => row.length))
  const rows = inShape.map(row => Array.from({ length: width }, (_, i) => idOf(row[i])))
  return [rows, rows.map(row => row.slice().reverse())]
}

function idOf (ingredient) {
  if (ingredient === null || ingredient === undefined) return EMPTY
  return typeof ingredient === 'number' ? ingredient : ingredient.id
}

function shapeOf (rows) {
  return rows.map(row => row.map(id => (id === EMPTY ? '.' : '#')).join('')).join('/')
}

function sorted (ids) {
  return ids.sort((a, b) => a - b).join()
}

function toRows (cells, width) {
  return Array.from({ length: cells.length / width }, (_, y) => cells.slice(y * width, (y + 1) * width))
}

/** Without empty rows and columns around. */
function trim (rows) {
  const filled = rows.map(row => row.some(id => id !== EMPTY))
  const kept = rows.slice(filled.indexOf(true), filled.lastIndexOf(true) + 1)
  if (!filled.includes(true)) return []
  const used = kept[0].map((_, x) => kept.some(row => row[x] !== EMPTY))
  return kept.map(row => row.slice(used.indexOf(true), used.lastIndexOf(true) + 1))
}
