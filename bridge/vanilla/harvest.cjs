'use strict'
// expected: minecraft-data says for each block which tools make it drop and which make it faster
// actual:   for 1.16 and before some are wrong, and from 1.20.5 on ores have the speeds of no tool
// remove when: harvest.json has nothing left to correct

const table = require('./harvest.json')

/** Correct a registry's blocks in place; once more does no harm. */
module.exports = function correctHarvest ({ blocksArray, blocksByName, materials }) {
  for (const block of blocksArray) block.material = table.misfiled[block.material] ?? block.material
  if (!(table.hand_made_have_material in materials)) return
  const { harvestTools } = blocksByName.stone
  const material = table.pickaxe_material
  for (const name of table.needs_pickaxe) change(blocksByName[name], { harvestTools, material })
  for (const [material, names] of Object.entries(table.needs_nothing)) {
    for (const name of names) change(blocksByName[name], { harvestTools: undefined, material })
  }
}

function change (block, facts) {
  if (block) Object.assign(block, facts)
}
