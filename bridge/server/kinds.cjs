'use strict'
// The windows there are: how many slots come before the player's own, and what each is for.

const storage = (type, title, size) => ({ type, title, size })
const furnace = (type, title) => ({ type, title, size: 3, input: 0, fuel: 1, output: 2 })

module.exports = {
  inventory: { size: 9, result: 0, grid: { from: 1, cells: 4, width: 2 }, armour: 5 },
  crafting: {
    type: 'minecraft:crafting',
    title: 'container.crafting',
    size: 10,
    result: 0,
    grid: { from: 1, cells: 9, width: 3 }
  },
  chest: storage('minecraft:generic_9x3', 'container.chest', 27),
  large_chest: storage('minecraft:generic_9x6', 'container.chestDouble', 54),
  shulker_box: storage('minecraft:shulker_box', 'container.shulkerBox', 27),
  barrel: storage('minecraft:generic_9x3', 'container.barrel', 27),
  ender_chest: storage('minecraft:generic_9x3', 'container.enderchest', 27),
  furnace: furnace('minecraft:furnace', 'container.furnace'),
  blast_furnace: furnace('minecraft:blast_furnace', 'container.blast_furnace'),
  smoker: furnace('minecraft:smoker', 'container.smoker')
}
