'use strict'
// The mind of a spider: it hunts as a zombie does, and up and down walls. After vanilla 1.16.5; source:
// minecraft.wiki/w/Spider.

const { isOpen } = require('./grazing.cjs')
const { mind } = require('./melee.cjs')
const { isAtWall } = require('./paths.cjs')
const { hunters } = require('../vanilla/dangers.json')

const KIND = {
  ...{ health: 16, experience: 5, leaves: [['string', 0, 2]], rarely: [['spider_eye'], 1 / 3] },
  ...{ ...hunters.spider, eyes: 0.65 },
  climbs: 2.35 // as on a ladder: 0.2 a tick up, less what gravity takes
}

module.exports = function spider (serv, { strike }) {
  const { act, isNear } = mind(serv, strike, KIND)

  /** Where one that hunts is after some seconds on a wall; null where it walks or falls. */
  async function move (self, seconds) {
    const { world, position, way: [next], velocity } = self
    if (!self.prey || velocity.norm() > 0) return null
    if (!next || isNear(self)) return await isAtWall(world, position) ? { position, onGround: true } : null
    return isStraight(position, next) ? climb(self, next, KIND.climbs * seconds) : null
  }

  return { ...KIND, act, isNear, move }
}

async function climb (self, next, step) {
  const { world, position, way } = self
  const rise = next.y - position.y
  if (!await isOpen(world, next, position)) {
    Object.assign(self, { way: [], thinksAt: 0 }) // something was put there since
    return null
  }
  if (Math.abs(rise) <= step) way.shift()
  return { position: position.offset(0, Math.sign(rise) * Math.min(step, Math.abs(rise)), 0), onGround: true }
}

/** Whether a point is up or down in the same column. */
function isStraight (from, to) {
  return Math.floor(from.x) === Math.floor(to.x) && Math.floor(from.z) === Math.floor(to.z) && from.y !== to.y
}
