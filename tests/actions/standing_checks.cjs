'use strict'
// Run by test_checks_in_node.py: where vanilla lets things stay, item by item.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const BRIDGE = path.join(__dirname, '..', '..', 'bridge')
const { load } = require(path.join(BRIDGE, 'host', 'packages.cjs'))
const { nameAnew, namesOf } = require(path.join(BRIDGE, 'host', 'names.cjs'))
nameAnew()
const standing = require(path.join(BRIDGE, 'vanilla', 'standing.cjs'))
const registry = load('prismarine-registry')('1.16.5')
const Block = load('prismarine-block')(registry)

/** A block by its name and what is said of its state: `oak_slab type=top`. */
function block (text) {
  const [name, ...properties] = text.split(' ')
  assert.ok(registry.blocksByName[name], `no block ${name}`)
  return Block.fromProperties(registry.blocksByName[name].id, Object.fromEntries(properties.map(valueOf)), 0)
}

function valueOf (text) {
  const [key, value] = text.split('=')
  return [key, /^\d+$/.test(value) ? Number(value) : value === 'true' || value === 'false' ? value === 'true' : value]
}

const PLACES = { here: '0,0,0', below: '0,-1,0', above: '0,1,0', east: '1,0,0', north: '0,0,-1', damp: '1,-1,0' }

/** What is seen from a place with these blocks around it, and else air. */
function around (places, make = block) {
  const blocks = new Map(Object.entries(places).map(([place, text]) => [PLACES[place], make(text)]))
  return (...step) => blocks.get(String(step)) ?? make('air')
}

/** Makes blocks of a version up to 1.12 by their names of later; undefined for what it has not. */
function blocksOf (version) {
  const registry = load('prismarine-registry')(version)
  const OldBlock = load('prismarine-block')(registry)
  const table = Object.entries(load('minecraft-data').legacy.pc.blocks)
  return text => {
    const [name, ...properties] = text.split(' ')
    const isIt = said => said.replace(/\[.*/, '') === `minecraft:${name}` && properties.every(one => said.includes(one))
    const [key] = table.find(([, said]) => isIt(said)) ?? []
    if (!key || !namesOf(registry).block(name)) return undefined
    const [id, metadata] = key.split(':').map(Number)
    return OldBlock.fromStateId(id * 16 + metadata, 0)
  }
}

const STAYS = [
  ['torch', { below: 'stone' }], ['torch', { below: 'oak_fence' }], ['torch', { east: 'stone' }],
  ['torch', { below: 'oak_slab type=top' }], ['torch', { below: 'glass' }], ['torch', { below: 'soul_sand' }],
  ['redstone_torch', { below: 'oak_stairs half=top' }], ['soul_torch', { north: 'oak_planks' }],
  ['lantern', { above: 'oak_fence' }], ['lantern', { below: 'stone', here: 'water' }],
  ['rail', { below: 'hopper' }], ['powered_rail', { below: 'dirt' }], ['repeater', { below: 'stone' }],
  ['redstone', { below: 'hopper' }], ['oak_pressure_plate', { below: 'oak_fence' }],
  ['stone_button', { above: 'stone' }], ['lever', { east: 'stone' }], ['ladder', { north: 'stone' }],
  ['oak_door', { below: 'stone' }], ['oak_sign', { east: 'oak_fence' }], ['white_banner', { below: 'oak_fence' }],
  ['red_carpet', { below: 'torch' }], ['poppy', { below: 'farmland' }], ['oak_sapling', { below: 'podzol' }],
  ['wheat_seeds', { below: 'farmland' }], ['pumpkin_seeds', { below: 'farmland' }], ['nether_wart', { below: 'soul_sand' }],
  ['cactus', { below: 'sand' }], ['cactus', { below: 'cactus', east: 'torch' }],
  ['sugar_cane', { below: 'sand', damp: 'water' }], ['sugar_cane', { below: 'sugar_cane' }],
  ['snow', { below: 'oak_leaves' }], ['snow', { below: 'snow layers=8' }], ['scaffolding', { east: 'scaffolding' }],
  ['lily_pad', { below: 'water' }], ['vine', { above: 'vine' }], ['dead_bush', { below: 'red_sand' }],
  ['cocoa_beans', { east: 'jungle_log' }], ['cake', { below: 'oak_fence' }]
]

const FALLS = [
  ['torch', {}], ['torch', { below: 'stone', here: 'water' }], ['torch', { below: 'oak_slab type=bottom' }],
  ['torch', { below: 'farmland' }], ['torch', { below: 'oak_leaves' }], ['torch', { above: 'stone' }],
  ['torch', { below: 'chest' }], ['torch', { east: 'oak_fence' }], ['soul_torch', { below: 'ice', here: 'water' }],
  ['lantern', { east: 'stone' }], ['rail', { below: 'oak_fence' }], ['rail', { below: 'oak_stairs half=bottom' }],
  ['repeater', { below: 'oak_slab type=bottom' }], ['redstone', { below: 'cauldron' }], ['comparator', { below: 'stone', here: 'water' }],
  ['oak_pressure_plate', { below: 'oak_slab type=bottom' }], ['stone_button', { below: 'oak_fence' }],
  ['lever', { east: 'glass_pane' }], ['ladder', { below: 'stone' }], ['ladder', { north: 'oak_leaves' }],
  ['iron_door', { below: 'oak_slab type=bottom' }], ['oak_sign', { below: 'torch' }], ['red_carpet', {}],
  ['poppy', { below: 'stone' }], ['oak_sapling', { below: 'sand' }], ['wheat_seeds', { below: 'dirt' }],
  ['carrot', { below: 'farmland', here: 'water' }], ['nether_wart', { below: 'soul_soil' }],
  ['cactus', { below: 'sand', east: 'stone' }], ['cactus', { below: 'dirt' }], ['cactus', { below: 'sand', north: 'lava' }],
  ['sugar_cane', { below: 'sand' }], ['sugar_cane', { below: 'stone', damp: 'water' }],
  ['snow', { below: 'packed_ice' }], ['snow', { below: 'snow layers=4' }], ['scaffolding', { above: 'stone' }],
  ['lily_pad', { below: 'stone' }], ['vine', { below: 'stone' }], ['cocoa_beans', { east: 'oak_log' }]
]

const HIDDEN = ['oak_stairs half=top'] // old data has one shape for all stairs

const told = ([item, places]) => `${item} with ${JSON.stringify(places)}`

test('things are held by what holds them', () => {
  const wrong = STAYS.filter(([item, places]) => standing.sidesFor(item, around(places)).length === 0)
  assert.deepStrictEqual(wrong.map(told), [])
})

test('things do not stay where nothing holds them or water washes them off', () => {
  const wrong = FALLS.filter(([item, places]) => standing.sidesFor(item, around(places)).length > 0)
  assert.deepStrictEqual(wrong.map(told), [])
})

for (const version of ['1.8.8', '1.12.2']) {
  test(`the same holds at ${version}, for what there is`, () => {
    const make = blocksOf(version)
    const isThere = ([item, places]) => namesOf(load('prismarine-registry')(version)).item(item) &&
      Object.values(places).every(make) && !HIDDEN.some(text => Object.values(places).includes(text))
    const sides = ([item, places]) => standing.sidesFor(item, around(places, make))?.length ?? 0
    const [stays, falls] = [STAYS.filter(isThere), FALLS.filter(isThere)]
    assert.ok(stays.length > 25 && falls.length > 30, `${stays.length} and ${falls.length}`)
    assert.deepStrictEqual([stays.filter(one => !sides(one)).map(told), falls.filter(sides).map(told)], [[], []])
  })
}

test('what needs no support stays everywhere', () => {
  for (const item of ['stone', 'red_bed', 'oak_fence_gate', 'oak_trapdoor', 'chest', 'brown_mushroom']) {
    assert.strictEqual(standing.sidesFor(item, around({})), null, item)
  }
})

const PLACED = [
  ['wall_torch facing=west', { east: 'stone' }, true], ['wall_torch facing=west', { below: 'stone' }, false],
  ['torch', { east: 'stone' }, false], ['ladder facing=south', { north: 'stone' }, true],
  ['lantern hanging=true', { below: 'stone' }, false], ['lantern hanging=true', { above: 'stone' }, true],
  ['lever face=ceiling', { above: 'stone' }, true], ['lever face=wall facing=west', { east: 'stone' }, true],
  ['stone_button face=floor', { east: 'stone' }, false], ['oak_wall_sign facing=west', { east: 'oak_fence' }, true],
  ['oak_door half=upper', { below: 'oak_door' }, true], ['oak_door half=lower', {}, false],
  ['cocoa facing=east', { east: 'jungle_log' }, true], ['redstone_wire', {}, false], ['stone', {}, true]
]

test('a block is held from the side it was put against', () => {
  const wrong = PLACED.filter(([text, places, stays]) => standing.stays(block(text), around(places)) !== stays)
  assert.deepStrictEqual(wrong.map(told), [])
})

test('a refusal says what is needed', () => {
  const wet = around({ here: 'water', below: 'stone' })
  assert.match(standing.whyNot('torch', wet), /^torch would be washed away in water; .* a firm block below or beside it$/)
  assert.strictEqual(standing.whyNot('ladder', around({})), 'ladder needs a whole block beside it')
})

test('only what is grown on farmland needs light', () => {
  assert.deepStrictEqual(['carrot', 'wheat_seeds', 'pumpkin_seeds', 'torch'].map(standing.needsLight), [true, true, false, false])
})
