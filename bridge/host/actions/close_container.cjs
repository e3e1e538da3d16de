'use strict'
// Close the container kept open. Fails: window_closed.
const { openContainer } = require('../acting/container.cjs')
const windows = require('../acting/windows.cjs')

module.exports = async function closeContainer (bot) {
  openContainer(bot)
  await windows.closeKept(bot)
}
