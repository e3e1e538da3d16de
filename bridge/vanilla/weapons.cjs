'use strict'
// What a blow with an item does. Figures of vanilla 1.16.5, where weapons.json says.
const { hand, trident, materials, of_material: ofMaterial } = require('./weapons.json')

const UNHURT_TICKS = 10 // a creature takes no second blow sooner

/** Half-hearts of a blow at full strength, and `blows_a_second` of such, by an item's name. */
function blowWith (name = '') {
  const [material, kind] = name.split('_')
  const row = materials.indexOf(material)
  if (name === 'trident') return trident
  if (row < 0 || !ofMaterial[kind]) return hand
  return { damage: ofMaterial[kind].damage[row], blows_a_second: ofMaterial[kind].blows_a_second[row] }
}

/** How much of its strength a blow has so many ticks after the last, from 0 to 1. */
function strengthAfter (name, ticks) {
  return Math.min(1, (ticks + 0.5) * blowWith(name).blows_a_second / 20)
}

/** Ticks from one blow at full strength to the next, on the same creature. */
function ticksBetween (name) {
  return Math.max(UNHURT_TICKS, Math.ceil(20 / blowWith(name).blows_a_second - 0.5)) + 1
}

module.exports = { blowWith, strengthAfter, ticksBetween }
