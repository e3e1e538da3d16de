'use strict'
// Turning the head beside whatever else goes on; an action under way keeps it.
const { vector } = require('./acting/reach.cjs')
const running = require('./running.cjs')

const RADIANS = Math.PI / 180
const FACE = 1.62 // blocks above a player's feet

/** Turn at once: {gaze: {kind, ...}}; whether it did, in a word (Glance in bridge/actions.py). */
function glance (bot, { gaze }) {
  if (!bot.isAlive) return 'dead'
  if (running.isBusy(bot)) return 'busy'
  return TURNS[gaze.kind](bot, gaze) ? 'turned' : 'unseen'
}

const TURNS = {
  direction: (bot, { yaw, pitch }) => bot.look(yaw * RADIANS, pitch * RADIANS, true),
  point: (bot, { position }) => bot.lookAt(vector(position), true),
  player: (bot, { player }) => {
    const { entity } = (Object.hasOwn(bot.players, player) && bot.players[player]) || {}
    return entity && bot.lookAt(entity.position.offset(0, entity.eyeHeight ?? FACE, 0), true)
  }
}

module.exports = { glance }
