'use strict'
// What numbers of the protocol mean, as far as the host reads them itself. No package is asked:
// minecraft-data has been wrong. Who witnesses each row: tests/versions/witnesses.json.

/** Fields of an entity's metadata: [since version, index, type of the value], oldest first. */
const FIELDS = {
  air: [['1.8', 1, Number]], // ticks of breath that are left
  custom_name: [['1.8', 2, Object]], // a text, since 1.13 with its style; nothing while it has none
  hands: [['1.9', 5, Number], ['1.10', 6, Number], ['1.14', 7, Number], ['1.17', 8, Number]], // 1: it uses what it holds
  health: [['1.8', 6, Number], ['1.10', 7, Number], ['1.14', 8, Number], ['1.17', 9, Number]],
  baby: [
    ['1.8', 12, Number], ['1.9', 11, Boolean], ['1.10', 12, Boolean], ['1.14', 14, Boolean],
    ['1.15', 15, Boolean], ['1.17', 16, Boolean]
  ],
  piglin_baby: [['1.16', 16, Boolean], ['1.17', 17, Boolean]],
  flags: [ // of a sheep its colour and whether it is shorn; of what can be tamed, whether it is
    ['1.8', 16, Number], ['1.9', 12, Number], ['1.10', 13, Number], ['1.14', 15, Number],
    ['1.15', 16, Number], ['1.17', 17, Number], ['26.1', 18, Number]
  ]
}

/** Other numbers, the same in all versions. */
const CODES = {
  hands_in_use_bit: 1,
  tame_pet_bit: 4,
  tame_steed_bit: 2,
  wool_colour_bits: 15,
  wool_shorn_bit: 16,
  furnace_fire_left: 0, // properties of its window
  furnace_cooked: 2,
  bobber_kind: 90, // up to 1.13, where what is thrown has numbers of its own
  splash_particles: 6 // of a bite; fewer go before it
}

const rows = new WeakMap() // registry -> the row of each field

/** The row of a field in a version; undefined where it has none yet. */
function rowOf (registry, field) {
  if (!rows.has(registry)) rows.set(registry, rowsIn(registry))
  return rows.get(registry)[field]
}

function rowsIn ({ version }) {
  const since = ([first]) => version['>='](first)
  return Object.fromEntries(Object.entries(FIELDS).map(([field, all]) => [field, all.findLast(since)]))
}

/** What an entity's metadata says in a field; undefined while the server has not told. */
function told (registry, { metadata }, field) {
  const [, index, type] = rowOf(registry, field) ?? []
  const value = metadata?.[index]
  return type && Object(value) instanceof type ? value : undefined
}

module.exports = { CODES, FIELDS, rowOf, told }
