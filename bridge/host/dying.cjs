'use strict'
// What a death leaves of a bot: nothing in its hands, no window, and the place where its things lie.

const GRID = [0, 1, 2, 3, 4] // of the inventory, with the result

/** Keeps `bot.died`, the latest death as {number, position}, or null.
 *
 *  expected: a player who died has nothing in hand and no window open
 *  actual:   mineflayer keeps both until the server says otherwise. No server speaks of the
 *            cursor then, and a window is closed later: what it showed becomes the inventory.
 *  remove when: health.js of mineflayer forgets the window and the cursor at a death */
module.exports = function dying (bot) {
  bot.died = null
  bot.on('death', () => {
    bot.died = { number: (bot.died?.number ?? 0) + 1, position: bot.entity.position.clone() }
    letGo(bot)
  })
}

function letGo (bot) {
  const { currentWindow: window, inventory } = bot
  inventory.selectedItem = null
  for (const slot of GRID) inventory.updateSlot(slot, null)
  if (!window) return
  bot._client.write('close_window', { windowId: window.id })
  bot.currentWindow = null
  bot.emit('windowClose', window)
}
