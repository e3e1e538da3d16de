'use strict'
// What prismarine-chunk reads wrong in the land that servers send. To be loaded before it.

const { load } = require('./packages.cjs')

const BITS = 13 // of a block without a palette, from 1.9 to 1.12. Source: minecraft.wiki, chunk format

// expected: a section without a palette of its own has 13 bits a block. actual: prismarine-chunk reckons
// 12 from the highest number of a block, and reads noise: on Cuberite the whole land, on other servers
// what has more than 256 kinds of blocks. remove when: pc/1.9/ChunkColumn.js reads the bits it was sent.
function readWithoutPalette () {
  const file = load.resolve('prismarine-chunk/src/pc/1.9/chunk')
  const chunks = load(file)
  load.cache[file].exports = registry => class extends chunks(registry) {
    maxBitsPerBlock = BITS
  }
}

readWithoutPalette()
