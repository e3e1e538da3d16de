'use strict'
// The mind of a skeleton: it keeps its distance from the player it sees and shoots. After vanilla
// 1.16.5; source: minecraft.wiki/w/Skeleton.

const pathTo = require('./paths.cjs')
const prey = require('./prey.cjs')

const THINKS_MS = 500
const [DRAWS_MS, RESTS_MS] = [1000, [0, 2000, 2000, 1000]] // by difficulty
const [TOO_NEAR, RANGE] = [7.5, 15] // blocks
const [BACK, TRIED] = [6, [0, 0.8, -0.8, 1.6, -1.6]] // blocks, and radians aside
const HANDS = { key: 7, type: 0 } // entity metadata: 1 draws the bow
const KIND = { // blocks, and blocks a second
  ...{ health: 20, experience: 5, leaves: [['bone', 0, 2], ['arrow', 0, 2]], burns: true, holds: 'bow' },
  ...{ follows: 16, speed: 2.5, eyes: 1.74 }
}

module.exports = function skeleton (serv, { arrows }) {
  const { isPrey, look, stroll } = prey(serv, KIND)

  async function think (self) {
    await look(self)
    self.isAiming = self.isSeen && far(self) <= RANGE
    self.way = self.prey ? await wayOf(self) : await stroll(self)
  }

  /** Away from who is near, on to who is out of range or out of sight; else it stands. */
  async function wayOf (self) {
    if (!self.isAiming) return pathTo(self.world, self.position, self.prey.position)
    return far(self) < TOO_NEAR ? backOff(self) : []
  }

  async function backOff ({ world, position, prey }) {
    const { x, z } = position.minus(prey.position)
    for (const aside of TRIED) {
      const turn = Math.atan2(z, x) + aside
      const way = await pathTo(world, position, position.offset(Math.cos(turn) * BACK, 0, Math.sin(turn) * BACK))
      if (way.length && way.at(-1).distanceTo(prey.position) > position.distanceTo(prey.position) + 1) return way
    }
    return []
  }

  /** Draw the bow as long as the prey is in sight, then shoot and rest. */
  function shoot (self, now) {
    if (!self.isAiming || !isPrey(self, self.prey)) return draw(self, 0)
    if (!self.drawnAt && now >= self.strikesAt) draw(self, now)
    if (!self.drawnAt || now < self.drawnAt + DRAWS_MS) return
    draw(self, 0)
    self.strikesAt = now + RESTS_MS[serv.difficulty]
    arrows.shoot(self, KIND.eyes, self.prey)
  }

  function draw (self, at) {
    if (Boolean(self.drawnAt) !== Boolean(at)) self.setAndUpdateMetadata([{ ...HANDS, value: at ? 1 : 0 }])
    self.drawnAt = at
  }

  function act (self, now) {
    shoot(self, now)
    if (now < self.thinksAt) return null
    self.thinksAt = now + THINKS_MS
    return think(self)
  }

  return { ...KIND, act, isNear: () => false }
}

function far (self) {
  return self.prey.position.distanceTo(self.position)
}
