'use strict'
// What armour keeps off where the world is not peaceful, and how it wears by that. Enchantments are
// left out. After vanilla 1.16.5; source: minecraft.wiki/w/Armor.

const PIECES = { 5: 'helmet', 6: 'chestplate', 7: 'leggings', 8: 'boots' } // by slot
const POINTS = { // as in PIECES; toughness is of each piece
  leather: { points: [1, 3, 2, 1], toughness: 0 },
  golden: { points: [2, 5, 3, 1], toughness: 0 },
  chainmail: { points: [2, 5, 4, 1], toughness: 0 },
  iron: { points: [2, 6, 5, 2], toughness: 0 },
  turtle: { points: [2], toughness: 0 },
  diamond: { points: [3, 8, 6, 3], toughness: 2 },
  netherite: { points: [3, 8, 6, 3], toughness: 3 }
}
const KEPT_OFF = /^death\.attack\.(mob|player|arrow|explosion.*|lava|inFire|cactus)$/
const [MOST, EACH] = [20, 25] // points that count; a point keeps off 1/25
const WEARS = 4 // damage that takes a use of each piece

module.exports = function armour (serv, wear) {
  /** What comes through of a blow; the pieces wear by it. */
  return (player, damage, key) => {
    const worn = pieces(player)
    if (!serv.difficulty || !worn.length || !KEPT_OFF.test(key)) return damage
    const uses = Math.max(1, Math.floor(damage / WEARS))
    for (const { slot } of worn) wear.use(player, slot, uses)
    return through(damage, sum(worn, 'points'), sum(worn, 'toughness'))
  }

  function pieces ({ inventory: { slots } }) {
    return Object.entries(PIECES).flatMap(([slot, piece], i) => {
      const [material, kind] = slots[slot]?.name.split('_') ?? []
      const row = kind === piece && POINTS[material]
      return row ? [{ slot: Number(slot), points: row.points[i], toughness: row.toughness }] : []
    })
  }
}

/** Damage after so many points of armour. */
function through (damage, points, toughness) {
  const left = points - damage / (2 + toughness / 4)
  return damage * (1 - Math.min(MOST, Math.max(points / 5, left)) / EACH)
}

const sum = (rows, field) => rows.reduce((total, row) => total + row[field], 0)

/** Whether armour helps against what one is hurt by. */
const isKeptOff = key => KEPT_OFF.test(key)

Object.assign(module.exports, { through, isKeptOff })
