'use strict'
// Water where it lies still: which cells hold it, and where it comes back as in vanilla. It flows
// nowhere else.

const BESIDE = [[1, 0], [-1, 0], [0, 1], [0, -1]]
const FALLING = 8 // the level of water that comes from above

module.exports = function waters (serv) {
  const source = serv.registry.blocksByName.water.minStateId

  /** What a cell holds once its block is gone: the state of water, or of air. */
  async function emptied (world, at) {
    if (await isFed(world, at)) return source
    return isWater(await world.getBlock(at.offset(0, 1, 0))) ? source + FALLING : 0
  }

  /** Whether two still neighbours feed a cell. */
  async function isFed (world, at) {
    const beside = await Promise.all(BESIDE.map(([dx, dz]) => world.getBlock(at.offset(dx, 0, dz))))
    return beside.filter(block => isWater(block) && block.metadata === 0).length >= 2
  }

  return { emptied, isFed }
}

function isWater ({ name }) {
  return name === 'water'
}
module.exports.isWater = isWater
