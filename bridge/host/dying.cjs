'use strict'
// What a death leaves of a bot: nothing in its hands, no window, full breath, and the place where its things lie.

const HEALTH_MS = 500 // for the health that vanilla sends after a respawn; mineflayer stands still from 1 s on
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
  mourn(bot)
  revive(bot)
}

// expected: each death is told
// actual:   mineflayer takes a bot for dead from a respawn, as into another dimension, to its next
//           health; a death between the two is none
// remove when: health.js of mineflayer tells deaths by health alone
function mourn (bot) {
  let isTold = false
  bot.on('death', () => { isTold = true })
  bot._client.on('respawn', () => { isTold = false })
  bot._client.on('update_health', ({ health }) => {
    if (health > 0) isTold = false
    else if (!isTold && !bot.isAlive) bot.emit('death')
  })
}

// expected: who has respawned and been placed lives, at full health as vanilla's client has it
// actual:   mineflayer waits for a health packet, which Cuberite does not send, and stays dead: it
//           tells the server no place any more, while its own goes on
// remove when: health.js of mineflayer takes a respawn for a life
function revive (bot) {
  let timer
  bot._client.on('respawn', () => {
    clearTimeout(timer)
    bot._client.once('position', () => { timer = setTimeout(live, HEALTH_MS) })
  })
  bot._client.once('end', () => clearTimeout(timer))

  function live () {
    if (bot.isAlive) return
    const [health, food] = bot.health > 0 ? [bot.health, bot.food] : [20, 20]
    bot._client.emit('update_health', { health, food, foodSaturation: bot.foodSaturation ?? 5 })
  }
}

function letGo (bot) {
  const { currentWindow: window, entity, inventory } = bot
  entity.metadata = [] // of the one who comes back the server tells what is unusual alone
  inventory.selectedItem = null
  for (const slot of GRID) inventory.updateSlot(slot, null)
  if (!window) return
  bot._client.write('close_window', { windowId: window.id })
  bot.currentWindow = null
  bot.emit('windowClose', window)
}
