'use strict'
// What a blow of a player does by what is in hand, and by how long it was drawn back. After vanilla
// 1.16.5; source: minecraft.wiki/w/Sword, Axe, Melee_attack.

const MATERIALS = ['wooden', 'golden', 'stone', 'iron', 'diamond', 'netherite']
const BLOWS = { // damage, and blows a second, by material
  sword: { damage: [4, 4, 5, 6, 7, 8], speed: [1.6, 1.6, 1.6, 1.6, 1.6, 1.6] },
  axe: { damage: [7, 7, 9, 9, 9, 10], speed: [0.8, 1, 0.8, 0.9, 1, 1] }
}
const HAND = { damage: 1, speed: 4 }
const SWEEPS = 0.9 // drawn back so far
const [WEAK, STRONG] = [0.2, 0.8] // of the damage: at once, and what waiting adds

/** `damage` of a full blow and `speed` in blows a second. */
function blowWith (item) {
  const [material, tool] = item ? item.name.split('_') : []
  const row = MATERIALS.indexOf(material)
  return row >= 0 && BLOWS[tool] ? { damage: BLOWS[tool].damage[row], speed: BLOWS[tool].speed[row] } : HAND
}

/** The damage of a blow some ticks after the last. */
function damageOf (item, ticks = Infinity) {
  const drawn = drawnBack(item, ticks)
  return blowWith(item).damage * (WEAK + STRONG * drawn * drawn)
}

/** Whether a blow on the ground strikes those beside, too. */
function sweeps (item, ticks) {
  return Boolean(item?.name.endsWith('_sword')) && drawnBack(item, ticks) > SWEEPS
}

function drawnBack (item, ticks) {
  return Math.min(1, (ticks + 0.5) * blowWith(item).speed / 20)
}

module.exports = { damageOf, sweeps }
