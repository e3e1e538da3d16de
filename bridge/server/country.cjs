'use strict'
// The land bots live in: deterministic, every chunk by itself from the seed alone.
// Gentle grass hills around y=63 over some 60 layers of stone with vanilla's ores at vanilla's
// depths, a few trees and one feature a chunk. flying-squid requires this file by its path.

const { load } = require('./packages.cjs')
const palette = require('./country/palette.cjs')
const dice = require('./country/dice.cjs')
const ground = require('./country/ground.cjs')
const ores = require('./country/ores.cjs')
const trees = require('./country/trees.cjs')
const features = require('./country/features.cjs')
const canvas = require('./country/canvas.cjs')

module.exports = function country ({ registry, seed }) {
  const Chunk = load('prismarine-chunk')(registry)
  const states = palette(registry)
  const bedrockAndStone = ground.base(Chunk, states, registry)
  return (cx, cz) => {
    const land = canvas(bedrockAndStone(), states, cx, cz)
    const roll = topic => dice(seed, cx, cz, topic)
    ground.cover(land, seed)
    ores(land, roll('ores'))
    if (cx === 0 && cz === 0) return land.chunk // spawn stays flat and clear
    features(land, roll('features'))
    trees(land, roll('trees'))
    ground.plants(land, roll('plants'))
    return land.chunk
  }
}
