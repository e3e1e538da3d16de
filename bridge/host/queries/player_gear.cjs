'use strict'
// What another player holds and wears; null while they are out of sight.

module.exports = function playerGear (bot, { player }) {
  const { entity } = (Object.hasOwn(bot.players, player) && bot.players[player]) || {}
  if (!entity) return null
  const [held, ...worn] = (entity.equipment ?? []).map(item => item?.name ?? null)
  return { held: held ?? null, worn: worn.filter(Boolean) }
}
