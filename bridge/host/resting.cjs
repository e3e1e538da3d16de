'use strict'
// A bot that stands still goes on standing still: the same step of its physics is not computed
// twenty times a second. Ticks, their event and their packets go on as ever.

const AGAIN = 20 // ticks after which it is computed all the same
const NEAR = 3 // blocks from the feet: nearer ones decide where a bot stands

/** Uses the last step of the bot's physics again while all that it depends on is the same: its
 *  motion, its effects, the blocks around it, and no key is held. */
function resting (bot) {
  const { physics } = bot
  const compute = physics.simulatePlayer
  let rest = null // what a step was given and left as it was
  let ticks = 0 // for which it may be used again

  physics.simulatePlayer = (state, world) => {
    const given = isLetBe(state) ? facts(state) : null
    if (given && ticks-- > 0 && same(given, rest)) return state
    const moved = compute(state, world)
    const stays = given && same(given, facts(moved))
    rest = stays ? given : null
    ticks = stays ? AGAIN : 0
    return moved
  }

  const wake = () => { ticks = 0 }
  for (const name of ['chunkColumnLoad', 'chunkColumnUnload', 'respawn']) bot.on(name, wake)
  bot.on('blockUpdate', (before, after) => {
    const changed = (after ?? before)?.position
    if (changed && bot.entity && changed.distanceTo(bot.entity.position) <= NEAR) wake()
  })
}

/** Whether no key is held and nothing pushes it on. */
function isLetBe (state) {
  return !state.jumpQueued && !state.elytraFlying && !Object.values(state.control).some(Boolean)
}

/** What a step reads and writes; where the bot looks decides nothing while no key is held. */
function facts (state) {
  const { pos, vel } = state
  return [
    pos.x, pos.y, pos.z, vel.x, vel.y, vel.z, state.onGround, state.isInWater, state.isInLava,
    state.isInWeb, state.isCollidedHorizontally, state.isCollidedVertically, state.jumpTicks,
    state.slowFalling, state.levitation, state.dolphinsGrace, state.depthStrider,
    state.fireworkRocketDuration
  ]
}

function same (some, others) {
  return others !== null && some.every((fact, place) => fact === others[place])
}

module.exports = { resting }
