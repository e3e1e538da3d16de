'use strict'
// The mind of zombies and of who hunts as they do: they walk to the nearest player they see and
// strike. After vanilla 1.16.5; source: minecraft.wiki/w/Zombie.

const pathTo = require('./paths.cjs')
const prey = require('./prey.cjs')
const { hunters, strikes_ms: STRIKES_MS } = require('../vanilla/dangers.json')

const THINKS_MS = 500
const CAUSE = 'death.attack.mob'
const KINDS = {
  zombie: {
    ...{ health: 20, experience: 5, leaves: [['rotten_flesh', 0, 2]], rarely: [['iron_ingot', 'carrot', 'potato'], 0.025] },
    ...{ ...hunters.zombie, burns: true, young: 0.05, eyes: 1.74, youngReach: 0.98 }
  }
}

/** The kinds by name: figures, and what one does with each tick. */
module.exports = function melee (serv, { strike }) {
  return Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, { ...kind, ...mind(serv, strike, kind) }]))
}

/** Choose whom to follow, find the way, strike; `idle` finds that of one who follows nobody. */
function mind (serv, strike, kind, idle = (self, stroll) => stroll(self)) {
  const { isPrey, look, stroll } = prey(serv, kind)
  const how = { swims: kind.swims > 0, climbs: kind.climbs > 0 }

  async function think (self) {
    await look(self)
    self.way = self.prey ? await pathTo(self.world, self.position, self.prey.position, how) : await idle(self, stroll)
  }

  function isNear (self) {
    return self.prey?.position.distanceTo(self.position) <= (self.isYoung ? kind.youngReach : kind.reach)
  }

  return {
    act (self, now) {
      if (isPrey(self, self.prey) && isNear(self) && now >= self.strikesAt) {
        self.strikesAt = now + STRIKES_MS
        strike(self.prey, kind.damage[serv.difficulty], { key: CAUSE, by: self })
      }
      if (now < self.thinksAt) return null
      self.thinksAt = now + THINKS_MS
      return think(self)
    },
    isNear
  }
}

module.exports.mind = mind
