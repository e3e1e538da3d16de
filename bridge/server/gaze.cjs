'use strict'
// Where players look: as exactly as their packets say it, and the way from their eyes.

const { load } = require('./packages.cjs')
const { listen } = require('./clients.cjs')

const { Vec3 } = load('vec3')

const EYES = 1.62

/** Keep for each player where they look, as `player.gaze` in degrees. */
module.exports = function gazes (serv) {
  serv.on('newPlayer', player => {
    for (const event of ['look', 'position_look']) {
      listen(serv, player, event, ({ yaw, pitch }) => { player.gaze = { yaw, pitch } })
    }
  })
}

function eyesOf ({ position }) {
  return position.offset(0, EYES, 0)
}

/** One block along the line of sight. */
function along ({ gaze = { yaw: 0, pitch: 0 } }) {
  const [yaw, pitch] = [gaze.yaw, gaze.pitch].map(angle => angle * Math.PI / 180)
  return new Vec3(-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch))
}

Object.assign(module.exports, { along, eyesOf })
