'use strict'
// What a blow of a player does by what is in hand, and by how long it was drawn back. After vanilla
// 1.16.5; source: minecraft.wiki/w/Melee_attack.

const { blowWith, strengthAfter } = require('../vanilla/weapons.cjs')

const SWEEPS = 0.9 // drawn back so far
const [WEAK, STRONG] = [0.2, 0.8] // of the damage: at once, and what waiting adds

/** The damage of a blow some ticks after the last. */
function damageOf (item, ticks = Infinity) {
  const drawn = strengthAfter(item?.name, ticks)
  return blowWith(item?.name).damage * (WEAK + STRONG * drawn * drawn)
}

/** Whether a blow on the ground strikes those beside, too. */
function sweeps (item, ticks) {
  return Boolean(item?.name.endsWith('_sword')) && strengthAfter(item.name, ticks) > SWEEPS
}

module.exports = { damageOf, sweeps }
