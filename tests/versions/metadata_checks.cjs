'use strict'
// Run by test_versions_metadata.py: what the host takes the protocol's numbers for, held against
// packets that vanilla sent (RECORDED, a folder) and against what others say (witnesses.json).
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const dying = require(path.join(HOST, 'dying.cjs'))
const playerGear = require(path.join(HOST, 'queries', 'player_gear.cjs'))
const numbers = require(path.join(HOST, 'sensing', 'numbers.cjs'))
const traits = require(path.join(HOST, 'sensing', 'traits.cjs'))
const { mobOf } = require(path.join(HOST, '..', 'vanilla', 'mobs.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { packets } = require('./bench/recording.cjs')
const witnesses = require('./witnesses.json')

const VERSIONS = JSON.parse(process.env.VERSIONS)
const RECORDED = VERSIONS.filter(version => packets(process.env.RECORDED, version, 'login').length > 0)
const NAMED_FIELDS_SINCE = '1.19.4' // minecraft-data has their names from there on

// Of each kind that was recorded: the health of a whole one, and how many fields it has of its own
// behind what every animal has. Source: minecraft.wiki of each, and wiki.vg/Entity_metadata.
const KINDS = {
  chicken: [4, 0],
  cow: [10, 0],
  fox: [10, 4],
  parrot: [6, 3],
  pig: [10, 2],
  polar_bear: [30, 1],
  rabbit: [3, 1],
  sheep: [8, 1],
  wolf: [8, 5]
}
const FULL_BREATH = 300
const NEVER_TRUE = ['treasure_pos', 'dark_ticks_remaining'] // of dolphins and glow squids: a place, a number
const LIT = '1.15.2' // where a burning furnace was recorded
const COAL_TICKS = 1600

// What is known of the recorded animals by eye.
const YOUNG = { '1.17.1': 1, '1.18.2': 2, 1.19: 3 }
const COATS = { '1.9.4': ['white', 'white', 'white', 'gray', 'white'], '1.17.1': Array(4).fill('white') }

const registryOf = version => load('prismarine-registry')(version)

/** The animals that were recorded in a version: {name, fields: [{key, type, value}], metadata}. */
function animals (version) {
  const read = name => packets(process.env.RECORDED, version, name)
  const registry = registryOf(version)
  const told = new Map(read('entity_metadata').map(({ entityId, metadata }) => [entityId, metadata]))
  const spawned = registry.version['>=']('1.19') ? read('spawn_entity') : read('spawn_entity_living')
  return spawned.flatMap(({ entityId, type, metadata }) => {
    const { name } = mobOf((registry.mobs[type] ?? registry.entities[type])?.name) ?? {}
    const fields = metadata ?? told.get(entityId)
    return name && fields ? [{ name, fields, metadata: byIndex(fields) }] : []
  })
}

function byIndex (fields) {
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]))
}

/** Where a recorded animal shows each field by itself: {name: [index, type]}. */
function shown (version, { name, fields }) {
  const [full, own] = KINDS[name]
  const { version: at } = registryOf(version)
  const where = found => found && [found.key, found.type]
  const health = fields.find(({ value }) => value === full)
  if (fields.length === 1) return { health: where(health) } // only what is unusual was sent
  const last = Math.max(...fields.map(({ key }) => key))
  const byKey = key => fields.find(field => field.key === key)
  const baby = last - (name === 'pig' && !at['>=']('1.11') ? 1 : own)
  return {
    air: where(fields.find(({ value }) => value === FULL_BREATH)),
    health: where(health),
    custom_name: where(byKey(2)),
    ...(at['>=']('1.9') && { baby: where(byKey(baby)) }), // in 1.8 a field of all creatures comes behind
    ...(name === 'sheep' && { flags: where(byKey(last)) })
  }
}

function witnessOf ({ version }, field) {
  const { rows } = witnesses.fields[field] ?? witnesses.packages[field]
  return rows.findLast(([since]) => version['>='](since))
}

/** The fields and codes about which a table of the host and the witnesses disagree. */
function disagreements (fields, codes) {
  const wrong = VERSIONS.flatMap(version => {
    const { version: at } = registryOf(version)
    return Object.entries(fields).filter(([name, rows]) => {
      const ours = rows.findLast(([since]) => at['>='](since))
      return ours?.[1] !== witnessOf({ version: at }, name)?.[1]
    }).map(([name]) => name)
  })
  const wrongCodes = Object.entries(codes).filter(([name, code]) => code !== witnesses.codes[name]?.[0])
  return new Set([...wrong, ...wrongCodes.map(([name]) => name)])
}

// --- the witnesses and vanilla -------------------------------------------------

for (const version of RECORDED) {
  test(`what is said of metadata in ${version} is what vanilla sent`, () => {
    const found = animals(version)
    assert.ok(found.length >= 4)
    for (const animal of found) {
      for (const [field, where] of Object.entries(shown(version, animal))) {
        assert.deepStrictEqual(where, witnessOf(registryOf(version), field)?.slice(1), `${field} of a ${animal.name}`)
      }
    }
  })
}

test('what is said of a furnace is what vanilla sent of one with coal in it', () => {
  const told = packets(process.env.RECORDED, LIT, 'craft_progress_bar')
  const valuesOf = code => told.filter(({ property }) => property === witnesses.codes[code][0]).map(({ value }) => value)
  assert.deepStrictEqual(valuesOf('furnace_fire_left'), [COAL_TICKS, COAL_TICKS - 1])
  assert.deepStrictEqual(valuesOf('furnace_cooked'), [1])
})

// --- the host and the witnesses -------------------------------------------------

test('the host takes each number for what others say it is, in every version', () => {
  assert.deepStrictEqual([...disagreements(numbers.FIELDS, numbers.CODES)], [])
})

for (const [field, rows] of Object.entries(numbers.FIELDS)) {
  for (const [row, [since, index, type]] of rows.entries()) {
    for (const moved of [index - 1, index + 1]) {
      test(`${field} at ${moved} instead of ${index} from ${since} on is noticed`, () => {
        const wrong = { ...numbers.FIELDS, [field]: rows.with(row, [since, moved, type]) }
        assert.deepStrictEqual([...disagreements(wrong, numbers.CODES)], [field])
      })
    }
  }
}

for (const [name, code] of Object.entries(numbers.CODES)) {
  test(`${name} as ${code + 1} instead of ${code} is noticed`, () => {
    assert.deepStrictEqual([...disagreements(numbers.FIELDS, { ...numbers.CODES, [name]: code + 1 })], [name])
  })
}

// --- what the host makes of vanilla's packets -----------------------------------

for (const version of RECORDED) {
  test(`recorded animals of ${version} are read as they were`, () => {
    const registry = registryOf(version)
    const found = animals(version)
    for (const animal of found) {
      assert.strictEqual(traits.healthOf(registry, animal), KINDS[animal.name][0], `health of a ${animal.name}`)
    }
    const players = packets(process.env.RECORDED, version, 'named_entity_spawn').filter(({ metadata }) => metadata)
    for (const { metadata } of players) {
      assert.strictEqual(traits.healthOf(registry, { metadata: byIndex(metadata) }), 20, 'health of a player')
    }
    assert.strictEqual(found.filter(animal => traits.isYoung(registry, animal)).length, YOUNG[version] ?? 0)
    const sheep = found.filter(({ name }) => name === 'sheep')
    const coats = sheep.map(animal => traits.coatOf(registry, animal.name, animal))
    assert.deepStrictEqual(coats, COATS[version] ?? Array(sheep.length).fill('white'))
  })
}

// --- what is left to the packages ------------------------------------------------

for (const version of VERSIONS) {
  test(`an effect and a window have the numbers in ${version} that others say`, () => {
    const registry = registryOf(version)
    const { type } = load('prismarine-windows')(registry).windows['minecraft:furnace']
    assert.deepStrictEqual(registry.effectsByName.Absorption.id, witnessOf(registry, 'absorption')[1])
    assert.deepStrictEqual(type, witnessOf(registry, 'furnace_window')[1])
  })
}

for (const version of RECORDED) {
  test(`hands, effects and windows are what vanilla sent in ${version}`, () => {
    const registry = registryOf(version)
    const read = name => packets(process.env.RECORDED, version, name)
    assert.deepStrictEqual(read('entity_effect').map(({ effectId }) => effectId), [witnessOf(registry, 'absorption')[1]])
    assert.deepStrictEqual(read('open_window').map(({ inventoryType }) => inventoryType), [witnessOf(registry, 'furnace_window')[1]])
    const held = read('entity_equipment').flatMap(packet => packet.equipments ?? [packet]).map(worn => gearOf(registry, worn).held)
    assert.deepStrictEqual([...new Set(held)].filter(name => name !== 'fishing_rod'), ['bow'])
  })
}

/** What the host says of a player who was told to have one thing. */
function gearOf (registry, { slot, item }) {
  const entity = new (load('prismarine-entity')(registry))(7)
  entity.setEquipment(slot, load('prismarine-item')(registry).fromNotch(item))
  return playerGear({ players: { Steve: { entity } } }, { player: 'Steve' })
}

// --- who may be young ------------------------------------------------------------

for (const version of VERSIONS.filter(version => registryOf(version).version['>='](NAMED_FIELDS_SINCE))) {
  test(`who has a young in ${version} is known, and where it is told`, () => {
    const registry = registryOf(version)
    for (const { name, metadataKeys } of registry.entitiesArray.filter(({ name }) => mobOf(name))) {
      for (const [index, key] of metadataKeys.entries()) {
        const isYoung = traits.isYoung(registry, { name, metadata: { [index]: true } })
        if (!NEVER_TRUE.includes(key)) assert.strictEqual(isYoung, key === 'baby', `${name}: ${key}`)
      }
      assert.strictEqual(metadataKeys.indexOf('custom_name'), numbers.rowOf(registry, 'custom_name')[1], name)
      assert.strictEqual(metadataKeys.indexOf('health'), numbers.rowOf(registry, 'health')[1], name)
    }
    const [, flags] = numbers.rowOf(registry, 'flags')
    for (const [name, key] of [['sheep', 'wool'], ['wolf', 'flags'], ['cat', 'flags'], ['horse', 'flags'], ['llama', 'flags']]) {
      assert.strictEqual(registry.entitiesByName[name].metadataKeys.indexOf(key), flags, name)
    }
  })
}

for (const version of VERSIONS) {
  test(`who is tame in ${version} is somebody's, and who is wild or a sheep is not`, () => {
    const registry = registryOf(version)
    const [, index] = numbers.rowOf(registry, 'flags')
    const isTame = (name, value) => traits.isSomebodys(registry, { name, metadata: { [index]: value } })
    assert.deepStrictEqual([['wolf', 5], ['ocelot', 4], ['horse', 2]].map(one => isTame(...one)), [true, true, true])
    assert.deepStrictEqual([['wolf', 3], ['horse', 4], ['sheep', 6], ['wolf']].map(one => isTame(...one)), [false, false, false, false])
  })
}

test('up to 1.8 the young of animals are below nothing, those of zombies above', () => {
  const registry = registryOf('1.8.8')
  const isYoung = (name, age) => traits.isYoung(registry, { name, metadata: { 12: age } })
  const found = [['Cow', -1], ['Cow', 1], ['Zombie', 1], ['Zombie', -1], ['Zombie', 0]].map(one => isYoung(...one))
  assert.deepStrictEqual(found, [true, false, true, false, false])
})

test('a creeper that stops swelling is no young one', () => {
  assert.strictEqual(traits.isYoung(registryOf('1.20.4'), { name: 'creeper', metadata: { 16: -1 } }), false)
})

test('a bot has its own breath, in half bubbles', () => {
  const bot = metadata => ({ registry: registryOf('1.20.4'), entity: { metadata }, oxygenLevel: 0 })
  assert.deepStrictEqual([traits.breathOf(bot({ 1: 150 })), traits.breathOf(bot({}))], [10, undefined])
})

test('who drowned comes back with breath', () => {
  const entity = { position: { x: 0, y: 0, z: 0 }, metadata: { 1: -20 } }
  const inventory = { updateSlot: () => {}, items: () => [], slots: [] }
  const told = { registry: registryOf('1.20.4'), game: { dimension: 'overworld' }, signsOf: () => {} }
  const bot = Object.assign(new EventEmitter(), told, { entity, inventory, _client: new EventEmitter() })
  dying(bot)
  assert.ok(traits.breathOf(bot) < 0)
  bot.emit('death')
  assert.strictEqual(traits.breathOf(bot), undefined)
})
