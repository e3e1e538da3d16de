'use strict'
// What the launcher may set, and what flying-squid is told.

const path = require('node:path')
const { LEVELS } = require('./difficulty.cjs')

const VERSION = '1.16.5'
const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  seed: 1,
  spamChecked: [],
  operators: null, // everybody who is none of our bots
  worldFolder: undefined,
  viewDistance: 4,
  smeltMs: 10000,
  herdMs: 300000,
  cropTickMs: 68267,
  biteMs: 5000,
  layMs: 300000,
  difficulty: 'peaceful'
}

/** The launcher's JSON argument with defaults; throws on an unknown key. */
function parse (text = '{}') {
  const given = JSON.parse(text)
  const unknown = Object.keys(given).filter(key => !(key in DEFAULTS))
  if (unknown.length) throw new Error(`unknown setting: ${unknown.join(', ')}`)
  return { ...DEFAULTS, ...given }
}

function forFlyingSquid (settings) {
  return {
    host: settings.host, // its own default is every interface
    port: settings.port,
    version: VERSION,
    worldFolder: settings.worldFolder,
    generation: { name: path.join(__dirname, 'country.cjs'), options: { seed: settings.seed } },
    'view-distance': settings.viewDistance,
    motd: 'townsfolk',
    'online-mode': false,
    'everybody-op': true,
    'max-players': 250,
    'max-entities': 100000, // counts items and players too, and joining fails above it
    'player-list-text': { header: { text: '' }, footer: { text: '' } },
    gameMode: 0,
    difficulty: LEVELS.indexOf(settings.difficulty),
    kickTimeout: 30000,
    modpe: false,
    plugins: {},
    logging: false,
    noConsoleOutput: true,
    // expected: who joins costs little. actual: minecraft-protocol compiles a checker of protocols
    // for each player's channels, 45 ms of the event loop and 0.2 to 1 MB while they stay.
    // remove when: it checks no channels, or all players have one checker
    validateChannelProtocol: false,
    // expected: one player's fault concerns that player
    // actual:   each player adds process-wide handlers that end the process, unless debug is set
    // remove when: errorHandler.js of flying-squid no longer exits
    debug: () => {}
  }
}

module.exports = { parse, forFlyingSquid }
