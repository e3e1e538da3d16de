'use strict'
// Run by test_checks_in_node.py: scans, views and recipes in the chunk formats of several
// versions, on a bot that stands in four chunks of flat country.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')
const zlib = require('node:zlib')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { load } = require(path.join(HOST, 'packages.cjs'))
const query = kind => require(path.join(HOST, 'queries', `${kind}.cjs`))
const { Vec3 } = load('vec3')

const GROUND_Y = 63 // the highest stone; the bot stands above
const PLAIN = { yaw: null, reach: 64, across: 48, down: 27, field_across: 100, field_down: 70 }
const SCAN = {
  names: [], radius: 6, lowest: -6, highest: 6, yaw: 0, cone: 360, max_checks: 1e9, limit: 100
}

function botIn (version) {
  const registry = load('prismarine-registry')(version)
  const Chunk = load('prismarine-chunk')(registry)
  const tall = registry.supportFeature('tallWorld')
  const [minY, height] = tall ? [-64, 384] : [0, 256]
  const blockOf = name => registry.blocksByName[name]
  function flat (column) {
    const stone = blockOf('stone')
    for (let y = minY < 0 ? -20 : 0; y <= GROUND_Y; y++) {
      for (let x = 0; x < 16; x++) {
        for (let z = 0; z < 16; z++) set(column, new Vec3(x, y, z), stone)
      }
    }
    return column
  }
  function set (column, at, { id, minStateId, defaultState }) {
    column.setBlockStateId(at, defaultState ?? minStateId ?? id << 4)
  }
  const columns = new Map()
  for (const x of [-1, 0]) {
    for (const z of [-1, 0]) columns.set(`${x},${z}`, flat(new Chunk({ minY, worldHeight: height })))
  }
  return {
    version,
    registry,
    username: 'Bob',
    players: {},
    entities: {},
    time: { timeOfDay: 0 },
    game: { minY, height, dimension: 'overworld' },
    entity: { position: new Vec3(0.5, GROUND_Y + 1, 0.5), yaw: 0, pitch: 0, eyeHeight: 1.62 },
    world: { getColumn: (x, z) => columns.get(`${x},${z}`) ?? null },
    put (name, x, y, z) {
      set(columns.get(`${x >> 4},${z >> 4}`), new Vec3(x & 15, y, z & 15), blockOf(name))
    },
    recipesAll: id => load('prismarine-recipe')(registry).Recipe.find(id, null)
  }
}

for (const version of ['1.8.8', '1.12.2', '1.16.5', '1.17.1', '1.18.2', '1.20.4', '1.21.4']) {
  test(`a scan reads the sections of ${version}`, async () => {
    const bot = botIn(version)
    bot.put('gold_block', -3, GROUND_Y + 1, 0)
    bot.put('gold_block', 1, GROUND_Y - 2, -1)
    const gold = await query('scan_blocks')(bot, { ...SCAN, names: ['gold_block'] })
    assert.deepStrictEqual(gold.blocks.map(([, ...at]) => at), [[1, 61, -1], [-3, 64, 0]].sort(nearer))
    assert.deepStrictEqual(gold.counts, [['gold_block', 2]])
    assert.ok(version === '1.8.8' || gold.checks < gold.visited) // it has no palettes
    const none = await query('scan_blocks')(bot, { ...SCAN, names: ['sponge'] })
    assert.deepStrictEqual([none.blocks, none.checks], [[], version === '1.8.8' ? 925 : 0])
    const all = await query('scan_blocks')(bot, { ...SCAN, radius: 1, include_air: true })
    assert.deepStrictEqual(all.counts, [['air', 6], ['stone', 1]])
    assert.strictEqual(all.visited, all.positions)
  })

  test(`rays meet the blocks of ${version}`, async () => {
    const bot = botIn(version)
    bot.put('gold_block', 0, GROUND_Y + 2, -5)
    bot.put('glass', 0, GROUND_Y + 2, -2)
    const { blocks, sky } = await query('behold')(bot, { ...PLAIN, pitch: 0 })
    const names = blocks.map(([name]) => name)
    assert.strictEqual(names[0], 'stone')
    assert.deepStrictEqual(names.slice(1).sort(), ['glass', 'gold_block'])
    assert.ok(sky > 0.4)
  })

  test(`a herd hides no monster from a look in ${version}`, async () => {
    const bot = botIn(version)
    const at = (name, away) => ({ name, position: new Vec3(0.5, GROUND_Y + 1, 0.5 - away), height: 1 })
    bot.entities = [...Array.from({ length: 40 }, (_, i) => at('cow', 3 + i / 100)), at('zombie', 6)]
    const { mobs } = await query('behold')(bot, { ...PLAIN, pitch: 0 })
    assert.deepStrictEqual([mobs.length, mobs.at(-1)[0]], [33, 'zombie'])
  })

  test(`a region of ${version} holds its blocks`, async () => {
    const bot = botIn(version)
    bot.put('gold_block', 0, GROUND_Y + 2, -2)
    const { kinds, cells, size: [wide, tall, deep], corner: [x, y, z] } =
      await query('read_region')(bot, { reach: 3, up: 3, down: 1 })
    const bytes = zlib.inflateSync(Buffer.from(cells, 'base64'))
    const numbers = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    const at = (bx, by, bz) => kinds[numbers[((bx - x) * deep + bz - z) * tall + by - y]]
    assert.strictEqual(numbers.length, wide * tall * deep)
    assert.strictEqual(at(0, GROUND_Y + 2, -2)[0], 'gold_block')
    assert.deepStrictEqual(at(0, GROUND_Y + 2, -2)[1], [[0, 0, 0, 1, 1, 1]])
    assert.strictEqual(at(0, GROUND_Y, 0)[0], 'stone')
    assert.strictEqual(at(1, GROUND_Y + 2, 1)[0], 'air')
  })

  test(`every recipe of ${version} is told in names`, () => {
    const { items, recipes } = query('read_recipes')(botIn(version), { known: '' })
    assert.ok(recipes.length > 200)
    for (const [makes, inputs, returns] of recipes) {
      for (const [item, count] of [makes, ...inputs, ...returns]) {
        assert.ok(items[item] && count > 0, JSON.stringify([makes, inputs, returns]))
      }
    }
    const chest = recipes.find(([[made]]) => items[made] === 'chest')
    assert.deepStrictEqual([chest[1][0][1], chest[3]], [8, true])
  })
}

function nearer (a, b) {
  const square = ([x, y, z]) => x * x + (y - GROUND_Y - 1) ** 2 + z * z
  return square(a) - square(b)
}
