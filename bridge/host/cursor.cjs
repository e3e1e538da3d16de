'use strict'
// What is on the cursor, as the server knows it: `bot.cursorsTold` counts how often it said so.

const CURSOR = -1 // number of a window and of a slot

/** expected: what the server says of the cursor, after a click it refused, counts
 *  actual:   mineflayer leaves it unread up to 1.16.5, and clicks on with what is not there
 *  remove when: inventory.js of mineflayer handles set_slot of window -1
 *
 *  Later servers tell it in window_items, too, which mineflayer reads. */
module.exports = function cursor (bot) {
  if (!bot.supportFeature('transactionPacketExists')) return
  bot.cursorsTold = 0
  const Item = require('./packages.cjs').load('prismarine-item')(bot.registry)
  bot._client.on('set_slot', ({ windowId, slot, item }) => {
    if (windowId !== CURSOR || slot !== CURSOR) return
    const window = bot.currentWindow ?? bot.inventory
    window.selectedItem = Item.fromNotch(item)
    bot.cursorsTold++
    bot.emit('cursor')
  })
}
