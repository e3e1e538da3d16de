'use strict'
// Whom a monster hunts: the nearest player it sees, until they are out of reach or dead.

const { isNight } = require('./beds.cjs')

const PLAYER_EYES = 1.62
const MORTAL = [0, 2] // game modes: survival and adventure

/** Of a kind with `follows` blocks, `eyes` above its feet, and `isCalmByDay` or not. */
module.exports = function prey (serv, kind) {
  function isPrey (self, player) {
    return player && !player.disconnected && player.health > 0 && MORTAL.includes(player.gameMode) &&
      player.world === self.world && player.position.distanceTo(self.position) <= kind.follows
  }

  async function nearestSeen (self) {
    const isCalm = kind.isCalmByDay && !isNight(serv.time)
    const near = serv.players.filter(player => player.listed && isPrey(self, player) && !isCalm)
      .sort((one, other) => one.position.distanceTo(self.position) - other.position.distanceTo(self.position))
    for (const player of near) {
      if (await sees(self, player)) return player
    }
    return null
  }

  /** Whether no full block stands between the eyes of both. */
  function sees (self, player) {
    return isClear(self.world, self.position.offset(0, kind.eyes, 0), player.position.offset(0, PLAYER_EYES, 0))
  }

  return { isPrey, nearestSeen, sees }
}

/** Whether no full block stands between two points. */
async function isClear (world, from, to) {
  const way = to.minus(from)
  const steps = Math.ceil(way.norm() * 2)
  for (let i = 1; i < steps; i++) {
    const { boundingBox, transparent } = await world.getBlock(from.plus(way.scaled(i / steps)).floored())
    if (boundingBox === 'block' && !transparent) return false
  }
  return true
}

module.exports.isClear = isClear
