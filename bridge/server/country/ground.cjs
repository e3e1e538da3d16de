'use strict'
// The shape of the land: bedrock, stone, dirt, grass, and what grows on it.

const dice = require('./dice.cjs')

const LEVEL = 63 // feet at spawn stand at 64
const HILLS = 4 // up and down from LEVEL
const HILL_WIDTH = 24
const FLAT_RADIUS = 20
const DIRT = 3
const FULL_LIGHT = 15
const STONE_SECTIONS = 4 // y 0..63
const PLANTS = ['grass', 'grass', 'grass', 'grass', 'grass', 'dandelion', 'poppy']

/** A maker of chunks of bedrock, stone up to y 63, daylight and the plains biome. */
function base (Chunk, states, registry) {
  const model = new Chunk()
  forEachColumn((x, z) => {
    for (let y = 0; y < STONE_SECTIONS * 16; y++) {
      model.setBlockStateId({ x, y, z }, states(y === 0 ? 'bedrock' : 'stone'))
    }
    for (let y = 0; y < STONE_SECTIONS * 16 + 32; y++) model.setSkyLight({ x, y, z }, FULL_LIGHT)
  })
  model.biomes.fill(registry.biomesByName.plains.id)
  return () => copy(Chunk, model)
}

// A copy by hand takes a tenth of the time of building or parsing one.
function copy (Chunk, model) {
  const chunk = new Chunk()
  chunk.biomes = model.biomes.slice()
  chunk.sections = model.sections.map(section => section && copySection(Chunk, section))
  chunk.skyLightSections = model.skyLightSections.map(light => light && copyBits(light))
  chunk.sectionMask = model.sectionMask
  chunk.skyLightMask = model.skyLightMask
  return chunk
}

function copySection (Chunk, { data, palette, solidBlockCount, maxBitsPerBlock }) {
  const options = { palette: palette.slice(), solidBlockCount, maxBitsPerBlock }
  return new Chunk.section({ ...options, data: copyBits(data) }) // eslint-disable-line new-cap
}

function copyBits (bits) {
  const twin = Object.create(Object.getPrototypeOf(bits))
  return Object.assign(twin, bits, { data: bits.data.slice() })
}

/** Grass over dirt along the hills. */
function cover (land, seed) {
  forEachColumn((x, z) => {
    const top = heightAt(seed, land.cx * 16 + x, land.cz * 16 + z, land.fromSpawn(x, z))
    land.setHeight(x, z, top)
    for (let y = LEVEL; y > top; y--) land.set(x, y, z, 'air')
    for (let y = LEVEL + 1; y < top - DIRT; y++) land.set(x, y, z, 'stone')
    for (let y = top - DIRT; y < top; y++) land.set(x, y, z, 'dirt')
    land.set(x, top, z, 'grass_block')
  })
}

/** Tall grass and flowers where the grass is bare. */
function plants (land, roll) {
  for (let i = 0; i < 8; i++) {
    const [x, z, kind] = [roll.below(16), roll.below(16), roll.below(PLANTS.length)]
    const top = land.height(x, z)
    if (land.is(x, top, z, 'grass_block') && land.is(x, top + 1, z, 'air')) {
      land.set(x, top + 1, z, PLANTS[kind])
    }
  }
}

function heightAt (seed, x, z, away) {
  const rise = Math.min(1, Math.max(0, (away - FLAT_RADIUS) / HILL_WIDTH))
  return LEVEL + Math.round((noise(seed, x / HILL_WIDTH, z / HILL_WIDTH) * 2 - 1) * HILLS * rise)
}

/** Smooth noise of 0..1: lattice values joined by smoothstep. */
function noise (seed, x, z) {
  const [x0, z0] = [Math.floor(x), Math.floor(z)]
  const [u, v] = [smooth(x - x0), smooth(z - z0)]
  const near = blend(dice.at(seed, x0, z0), dice.at(seed, x0 + 1, z0), u)
  const far = blend(dice.at(seed, x0, z0 + 1), dice.at(seed, x0 + 1, z0 + 1), u)
  return blend(near, far, v)
}

const smooth = t => t * t * (3 - 2 * t)
const blend = (a, b, t) => a + (b - a) * t

function forEachColumn (visit) {
  for (let x = 0; x < 16; x++) for (let z = 0; z < 16; z++) visit(x, z)
}

module.exports = { base, cover, plants }
