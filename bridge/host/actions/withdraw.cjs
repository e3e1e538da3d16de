'use strict'
// Take items out of the open container. Fails: window_closed, missing_item, inventory_full.
const { transfer } = require('../acting/container.cjs')

module.exports = async function withdraw (bot, action, { signal }) {
  return await transfer(bot, action, false, signal)
}
