'use strict'
// Whom a monster hunts: the nearest player it sees, until they are out of reach, dead, or out of its
// sight for a while. Who hunts nobody strolls about. After vanilla 1.16.5; source: minecraft.wiki/w/Mob.

const { isNight } = require('./beds.cjs')
const { isReachedBySky } = require('./nights.cjs')
const { load } = require('./packages.cjs')
const pathTo = require('./paths.cjs')

const { RaycastIterator } = load('prismarine-world').iterators
const { Vec3 } = load('vec3')

const PLAYER_EYES = 1.62
const MORTAL = [0, 2] // game modes: survival and adventure
const FORGETS_MS = 3000
const [STROLLS, STROLLS_TO, STROLLS_NEAR] = [1 / 12, 10, 32] // each thought; blocks; blocks to a player

/** Of a kind with `follows` blocks, `eyes` above its feet, and whether it `isCalmInLight` of the day, `keepsToWater` by day,
 *  and `swims`. */
module.exports = function prey (serv, kind) {
  function isPrey (self, player) {
    return player && !player.disconnected && player.health > 0 && MORTAL.includes(player.gameMode) &&
      (player.isWet || !kind.keepsToWater || isNight(serv.time)) && player.world === self.world && player.position.distanceTo(self.position) <= kind.follows
  }

  /** Note whom it hunts and whether it sees them. */
  async function look (self) {
    const now = Date.now()
    self.isSeen = Boolean(isPrey(self, self.prey)) && await sees(self, self.prey)
    if (!self.isSeen && isPrey(self, self.prey) && now - self.seenAt < FORGETS_MS) return
    if (self.prey && !self.isSeen) self.way = [] // that to whom it forgets
    if (!self.isSeen) self.prey = await nearestSeen(self)
    Object.assign(self, { isSeen: Boolean(self.prey), seenAt: now })
  }

  /** The way of one that hunts nobody: on where it goes, or now and then somewhere, if a player is near. */
  async function stroll ({ world, position, way }) {
    const isNear = serv.players.some(player => player.position?.distanceTo(position) < STROLLS_NEAR)
    if (way.length || !isNear || Math.random() > STROLLS) return way
    const aside = () => (2 * Math.random() - 1) * STROLLS_TO
    return pathTo(world, position, position.offset(aside(), 0, aside()), { swims: kind.swims > 0 })
  }

  async function nearestSeen (self) {
    const near = serv.players.filter(player => player.listed && isPrey(self, player))
      .sort((one, other) => one.position.distanceTo(self.position) - other.position.distanceTo(self.position))
    if (near.length && kind.isCalmInLight && !isNight(serv.time) && await isReachedBySky(self.world, self.position)) return null
    for (const player of near) {
      if (await sees(self, player)) return player
    }
    return null
  }

  /** Whether no full block stands between the eyes of both. */
  function sees (self, player) {
    return isClear(self.world, self.position.offset(0, kind.eyes, 0), player.position.offset(0, PLAYER_EYES, 0))
  }

  return { isPrey, look, stroll }
}

/** Whether no full block stands between two points: not the least corner of one. */
async function isClear (world, from, to) {
  const way = to.minus(from)
  const far = way.norm()
  const cells = new RaycastIterator(from, way.scaled(1 / (far || 1)), far)
  for (let cell = cells.next(); cell; cell = cells.next()) {
    const { boundingBox, transparent } = await world.getBlock(new Vec3(cell.x, cell.y, cell.z))
    if (boundingBox === 'block' && !transparent) return false
  }
  return true
}

module.exports.isClear = isClear
