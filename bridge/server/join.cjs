'use strict'
// Coming in and going out: valid names, one player a name, one spawn point, vanilla's two lines.

const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')

const SPAWN = new Vec3(8.5, 64, 8.5) // the flat, clear chunk of country.cjs
const PLACES = [[0, 0], [2, 0], [0, 2], [-2, 0], [0, -2], [2, 2], [-2, 2], [2, -2], [-2, -2]]
  .map(([x, z]) => SPAWN.offset(x, 0, z)) // so that two who come do not stand in each other
const NAME = /^\w{1,16}$/
const LEAVING_MS = 2000
const CUT_OFF_MS = 1000 // whoever stands still does not close its end
const STOCK_LINE = / (joined|left) the game\.$/

function heedLogin (player) {
  const client = player._client
  const { write } = client
  client.write = (name, ...rest) => {
    if (name === 'login') player.hasLogin = true
    return write.call(client, name, ...rest)
  }
}

module.exports = function join (serv, chat, own, operators) {
  const present = new Map() // name -> whoever came last under it

  async function replaceEarlier (player) {
    const earlier = present.get(player._client.username)
    present.set(player._client.username, player)
    if (!earlier || earlier.disconnected) return
    const gone = new Promise(resolve => {
      earlier.once('disconnected', resolve)
      setTimeout(() => earlier._client.socket.destroy(), CUT_OFF_MS).unref()
      setTimeout(resolve, LEAVING_MS).unref()
    })
    chat.kick(earlier, { translate: 'multiplayer.disconnect.duplicate_login' })
    await gone
  }

  function freePlace (player) {
    const others = serv.players.filter(other => other !== player && other.position)
    return PLACES.find(place => others.every(other => other.position.distanceTo(place) > 1)) || SPAWN
  }

  function mayOperate (name) {
    return operators ? operators.includes(name) : !own.has(name)
  }

  function settle (player) {
    player.spawnPoint = freePlace(player).clone()
    player.op = mayOperate(player.username)
  }

  serv.on('newPlayer', player => {
    heedLogin(player)
    const login = player.login
    player.findSpawnPoint = async () => settle(player)
    // expected: a second login under a name ends the first
    // actual:   flying-squid looks for the first by a uuid that is not yet set, and keeps both
    // remove when: login.js of flying-squid compares player._client.uuid
    player.login = async () => {
      if (!NAME.test(player._client.username)) return chat.kick(player, { text: 'Invalid name' })
      await replaceEarlier(player)
      if (present.get(player._client.username) === player) await login()
      else chat.kick(player, { translate: 'multiplayer.disconnect.duplicate_login' })
    }
    player.once('connected', () => announce('joined', player))
    player.once('disconnected', () => {
      if (present.get(player._client.username) === player) present.delete(player._client.username)
      if (player.listed) announce('left', player)
    })
  })

  // expected: the first a client is told is the login
  // actual:   flying-squid adds a player a moment before; what is told to all in that moment
  //           breaks the new connection (no client knows an entity before its own)
  // remove when: addPlayer of flying-squid follows sendLogin
  const { _writeArray: writeArray } = serv
  serv._writeArray = (name, fields, players) =>
    writeArray(name, fields, players.filter(({ hasLogin }) => hasLogin))
  serv._writeAll = (name, fields) => serv._writeArray(name, fields, serv.players)

  function announce (what, player) {
    const component = { translate: `multiplayer.player.${what}`, with: [chat.nameOf(player)] }
    chat.broadcast({ color: 'yellow', ...component })
  }

  // flying-squid says both lines itself, as chat; ours above are the vanilla ones
  const broadcast = serv.broadcast
  serv.broadcast = (message, options) => STOCK_LINE.test(message) || broadcast(message, options)

  return { SPAWN }
}
