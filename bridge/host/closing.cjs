'use strict'
// What a bot still knows when the server closes its window, as when somebody breaks the chest.

/** expected: what the window showed of the inventory is known on
 *  actual:   mineflayer forgets it with the window, and believes to carry what it carried when it
 *            opened it. A server may say no more of it: the client knew it, after all.
 *  remove when: inventory.js of mineflayer copies the inventory at the server's close_window, too */
module.exports = function closing (bot) {
  bot._client.prependListener('close_window', () => {
    if (bot.currentWindow) carryOver(bot.currentWindow, bot.inventory)
  })
}

function carryOver (window, inventory) {
  for (let slot = window.inventoryStart; slot < window.inventoryEnd; slot++) {
    inventory.updateSlot(slot - window.inventoryStart + inventory.inventoryStart, window.slots[slot])
  }
}
