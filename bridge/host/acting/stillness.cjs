'use strict'
// What is left of a bot's motion when an action ends: nothing.

/** No path, no dig, no held key, no sliding on. */
function standStill (bot) {
  // Expected: pathfinder.stop() stops. Actual (2.4.5): it waits for the next node of the path,
  // and for good when there is none. Remove when stop() acts at once.
  bot.pathfinder.setGoal(null)
  bot.stopDigging()
  bot.clearControlStates()
  if (bot.entity?.onGround) bot.entity.velocity.set(0, bot.entity.velocity.y, 0)
}

module.exports = { standStill }
