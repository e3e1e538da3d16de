'use strict'
// The crafting grid of a window: its result shown, its ingredients used up.

const recipes = require('./recipes.cjs')

module.exports = function crafting (serv, items, inventory, dropped) {
  const resultOf = recipes(serv.registry)

  /** Show what the grid makes now; sent even if unchanged, as clients wait for it. */
  function refresh (desk) {
    const { grid, result } = desk.kind
    if (!grid) return
    const ids = cellsOf(grid).map(index => desk.read(index)?.type ?? -1)
    const made = resultOf(ids, grid.width)
    desk.write(result, made ? new items.Item(made.id, made.count) : null)
  }

  /** One of each ingredient is gone; buckets and bottles stay. */
  function useIngredients (desk) {
    for (const index of cellsOf(desk.kind.grid)) {
      const item = desk.read(index)
      if (!item) continue
      const rest = items.portion(item, item.count - 1)
      const remains = items.remains(item)
      desk.write(index, rest || remains)
      if (rest && remains) keep(desk.player, remains)
    }
    refresh(desk)
  }

  function keep (player, item) {
    const rest = inventory.add(player, item)
    if (rest) dropped.toss(player, rest)
  }

  return { refresh, useIngredients }
}

function cellsOf ({ from, cells }) {
  return Array.from({ length: cells }, (_, i) => from + i)
}
