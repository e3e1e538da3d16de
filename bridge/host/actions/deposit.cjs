'use strict'
// Put items into the open container. Fails: window_closed, missing_item, inventory_full.
const { transfer } = require('../acting/container.cjs')

module.exports = async function deposit (bot, action, { signal }) {
  return await transfer(bot, action, true, signal)
}
