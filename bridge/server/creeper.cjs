'use strict'
// The mind of a creeper: it walks to the player it sees, and goes off when it was near for long
// enough. After vanilla 1.16.5; source: minecraft.wiki/w/Creeper.

const pathTo = require('./paths.cjs')
const prey = require('./prey.cjs')

const THINKS_MS = 500
const FUSE_MS = 1500
const LONGEST_MS = 500 // more is not made up for after a standstill
const [LIT_AT, OUT_AT] = [3, 7] // blocks
const POWER = 3
const SWELLS = { key: 15, type: 1 } // entity metadata: 1 swells, -1 does not
const CAUSE = 'death.attack.explosion.player'
const KIND = { // blocks, and blocks a second
  ...{ health: 20, experience: 5, leaves: [['gunpowder', 0, 2]] },
  ...{ follows: 16, speed: 2.5, eyes: 1.44 }
}

module.exports = function creeper (serv, { explode, remove }) {
  const { isPrey, look, stroll } = prey(serv, KIND)

  async function think (self) {
    await look(self)
    if (!self.prey) self.way = await stroll(self)
    else self.way = self.isLit ? [] : await pathTo(self.world, self.position, self.prey.position)
  }

  /** The fuse burns while the prey is near and in sight, and else burns back. */
  async function burn (self, now) {
    const passed = Math.min(now - (self.actedAt ?? now), LONGEST_MS)
    self.actedAt = now
    const away = self.isSeen && isPrey(self, self.prey) ? self.prey.position.distanceTo(self.position) : Infinity
    swell(self, away < (self.isLit ? OUT_AT : LIT_AT))
    self.fuseMs = Math.max(0, (self.fuseMs ?? 0) + (self.isLit ? passed : -passed))
    if (self.fuseMs < FUSE_MS) return
    remove(self)
    await explode(self.world, self.position, POWER, { key: CAUSE, by: self })
  }

  function swell (self, isLit) {
    if (isLit === Boolean(self.isLit)) return
    self.isLit = isLit
    if (isLit) self.way = []
    self.setAndUpdateMetadata([{ ...SWELLS, value: isLit ? 1 : -1 }])
  }

  async function act (self, now) {
    await burn(self, now)
    if (now < self.thinksAt) return
    self.thinksAt = now + THINKS_MS
    await think(self)
  }

  return { ...KIND, act, isNear: self => Boolean(self.isLit) }
}
