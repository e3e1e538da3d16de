'use strict'
// The mind of a zombie: it walks to the nearest player it sees and strikes. After vanilla 1.16.5;
// source: minecraft.wiki/w/Zombie.

const pathTo = require('./paths.cjs')

const FOLLOWS = 35 // blocks
const SPEED = 2.3 // blocks a second
const THINKS_MS = 500
const STRIKES_MS = 1000
const REACH = Math.sqrt(1.2 ** 2 + 0.6) // from feet to feet, by the widths of both
const DAMAGE = [0, 2.5, 3, 4.5] // by difficulty
const CAUSE = 'death.attack.mob'
const EYES = { player: 1.62, zombie: 1.74 }

const KIND = { health: 20, experience: 5, leaves: [['rotten_flesh', 0, 2]], speed: SPEED, burns: true }

/** Choose whom to follow, find the way, strike: what a zombie does with each tick. */
module.exports = function zombie (serv, { strike }) {
  async function think (self) {
    if (!isPrey(self, self.prey)) self.prey = await nearestSeen(self)
    self.way = self.prey ? await pathTo(self.world, self.position, self.prey.position) : []
  }

  function isPrey (self, player) {
    return player && !player.disconnected && player.health > 0 && [0, 2].includes(player.gameMode) &&
      player.world === self.world && player.position.distanceTo(self.position) <= FOLLOWS
  }

  async function nearestSeen (self) {
    const near = serv.players.filter(player => player.listed && isPrey(self, player))
      .sort((one, other) => one.position.distanceTo(self.position) - other.position.distanceTo(self.position))
    for (const player of near) {
      if (player === self.struckBy || await sees(self, player)) return player
    }
    return null
  }

  return {
    ...KIND,
    act (self, now) {
      const isNear = isPrey(self, self.prey) && self.prey.position.distanceTo(self.position) <= REACH
      if (isNear && now >= self.strikesAt) {
        self.strikesAt = now + STRIKES_MS
        strike(self.prey, DAMAGE[serv.difficulty], { key: CAUSE, by: self })
      }
      if (now < self.thinksAt) return null
      self.thinksAt = now + THINKS_MS
      return think(self)
    },
    isNear: self => self.prey?.position.distanceTo(self.position) <= REACH
  }
}

/** Whether no full block stands between the eyes of both. */
async function sees (self, player) {
  const eyes = self.position.offset(0, EYES.zombie, 0)
  const way = player.position.offset(0, EYES.player, 0).minus(eyes)
  const steps = Math.ceil(way.norm() * 2)
  for (let i = 1; i < steps; i++) {
    const { boundingBox, transparent } = await self.world.getBlock(eyes.plus(way.scaled(i / steps)).floored())
    if (boundingBox === 'block' && !transparent) return false
  }
  return true
}
