'use strict'
// Where a bot stands and whom it sees; asked several times a second, so it reads little.

const DEGREES = 180 / Math.PI

module.exports = function whereabouts (bot, query) {
  const { entity, game, time } = bot
  const leftOut = new Set([bot.username, ...query.leave_out])
  return {
    position: entity.position.toArray(),
    yaw: (entity.yaw * DEGREES + 360) % 360, // mineflayer: 0 = north, counter-clockwise
    dimension: bot.dimensionName || game.dimension,
    health: bot.health,
    food: bot.food,
    held: bot.heldItem?.name ?? null,
    time_of_day: time.timeOfDay ?? 0,
    players: Object.values(bot.players)
      .filter(({ username, entity }) => entity && !leftOut.has(username))
      .map(({ username, entity }) => [username, entity.position.toArray()])
  }
}
