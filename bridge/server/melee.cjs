'use strict'
// The mind of zombies and spiders: they walk to the nearest player they see and strike. After vanilla
// 1.16.5; source: minecraft.wiki/w/Zombie, Spider.

const { isNight } = require('./beds.cjs')
const pathTo = require('./paths.cjs')

const THINKS_MS = 500
const STRIKES_MS = 1000
const CAUSE = 'death.attack.mob'
const PLAYER_EYES = 1.62
const KINDS = { // damage by difficulty; blocks, and blocks a second; reach from feet to feet
  zombie: {
    ...{ health: 20, experience: 5, leaves: [['rotten_flesh', 0, 2]], burns: true },
    ...{ damage: [0, 2.5, 3, 4.5], follows: 35, speed: 2.3, reach: 1.43, eyes: 1.74 }
  },
  spider: {
    ...{ health: 16, experience: 5, leaves: [['string', 0, 2]], isCalmByDay: true },
    ...{ damage: [0, 2, 2, 3], follows: 16, speed: 3, reach: 2.14, eyes: 0.65 }
  }
}

/** The kinds by name: figures, and what one does with each tick. */
module.exports = function melee (serv, { strike }) {
  return Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, { ...kind, ...mind(serv, strike, kind) }]))
}

/** Choose whom to follow, find the way, strike. */
function mind (serv, strike, kind) {
  async function think (self) {
    if (!isPrey(self, self.prey)) self.prey = await nearestSeen(self)
    self.way = self.prey ? await pathTo(self.world, self.position, self.prey.position) : []
  }

  function isPrey (self, player) {
    return player && !player.disconnected && player.health > 0 && [0, 2].includes(player.gameMode) &&
      player.world === self.world && player.position.distanceTo(self.position) <= kind.follows
  }

  async function nearestSeen (self) {
    const isCalm = kind.isCalmByDay && !isNight(serv.time)
    const near = serv.players.filter(player => player.listed && isPrey(self, player) && !isCalm)
      .sort((one, other) => one.position.distanceTo(self.position) - other.position.distanceTo(self.position))
    for (const player of near) {
      if (await sees(self, player, kind.eyes)) return player
    }
    return null
  }

  return {
    act (self, now) {
      const isNear = isPrey(self, self.prey) && self.prey.position.distanceTo(self.position) <= kind.reach
      if (isNear && now >= self.strikesAt) {
        self.strikesAt = now + STRIKES_MS
        strike(self.prey, kind.damage[serv.difficulty], { key: CAUSE, by: self })
      }
      if (now < self.thinksAt) return null
      self.thinksAt = now + THINKS_MS
      return think(self)
    },
    isNear: self => self.prey?.position.distanceTo(self.position) <= kind.reach
  }
}

/** Whether no full block stands between the eyes of both. */
async function sees (self, player, height) {
  const eyes = self.position.offset(0, height, 0)
  const way = player.position.offset(0, PLAYER_EYES, 0).minus(eyes)
  const steps = Math.ceil(way.norm() * 2)
  for (let i = 1; i < steps; i++) {
    const { boundingBox, transparent } = await self.world.getBlock(eyes.plus(way.scaled(i / steps)).floored())
    if (boundingBox === 'block' && !transparent) return false
  }
  return true
}
