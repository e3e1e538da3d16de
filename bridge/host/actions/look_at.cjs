'use strict'
// Turn the head to a point.
const { vector } = require('../acting/reach.cjs')

module.exports = async function lookAt (bot, { position }) {
  await bot.lookAt(vector(position), true)
}
