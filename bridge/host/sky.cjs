'use strict'
// Rain as a client shows it: by its level, which the words that it begins or ends only set.
//
// expected: it rains above a level of 0.2. actual: mineflayer goes by the words alone, which some
// servers, as Cuberite, send the other way round. remove when: it goes by the level.
const STATES = new Map([
  [1, () => 0], ['start_raining', () => 0],
  [2, () => 1], ['stop_raining', () => 1],
  [7, level => level], ['rain_level_change', level => level]
])
const SHOWN_ABOVE = 0.2

/** Keeps `bot.rainLevel`. */
function sky (bot) {
  bot.rainLevel = 0
  bot._client.on('login', () => { bot.rainLevel = 0 })
  bot._client.on('game_state_change', ({ reason, gameMode }) => {
    bot.rainLevel = STATES.get(reason)?.(gameMode) ?? bot.rainLevel
  })
}

function isRaining ({ rainLevel }) {
  return rainLevel > SHOWN_ABOVE
}

module.exports = { isRaining, sky }
