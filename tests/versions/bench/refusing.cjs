'use strict'
// The door: pings, wrong versions, whitelists, accounts; in vanilla's words where
// minecraft-protocol has words of its own.
const crypto = require('node:crypto')
const { load } = require('./packages.cjs')

const constants = load('minecraft-protocol/src/server/constants')
const yggdrasil = load('yggdrasil')

const GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']) // clients leave as they like
const UNVERIFIED = 'Failed to verify username!'

function createServer (config, data, tell) {
  if (config.online && config.online !== 'mojang') accounts(config.online)
  if (config.mojangKey) constants.mojangPublicKeyPem = config.mojangKey // before it is read
  const mc = load('minecraft-protocol')
  const server = mc.createServer({
    host: '127.0.0.1',
    port: config.port,
    version: config.version,
    'online-mode': Boolean(config.online),
    maxPlayers: 250,
    motd: 'bench',
    hideErrors: true,
    errorHandler: (client, error) => {
      if (!GONE.has(error.code)) tell({ t: 'fault', message: String(error.message).slice(0, 300) })
    },
    beforePing: response => config.status ?? (config.ping ? { ...response, version: config.ping } : response)
  })
  server.on('connection', client => speakVanilla(client, server, config, data, tell))
  server.on('error', error => tell({ t: 'fault', message: error.message }))
  return server
}

// A world opened to LAN asks for encryption and lets people in without an account; a server of
// online-mode=true does not. No session server is asked if `online` is 'lan' or 'strict'; 'mojang'
// asks Mojang's, or its imitation.
function accounts (online) {
  const askMojang = yggdrasil.server
  yggdrasil.server = options => ({
    ...askMojang(options),
    hasJoined: (name, ...rest) => online === 'lan'
      ? rest.at(-1)(null, { id: offlineUuid(name), name })
      : rest.at(-1)(new Error('invalid session'))
  })
}

function offlineUuid (name) {
  const hash = crypto.createHash('md5').update(`OfflinePlayer:${name}`).digest()
  hash[6] = (hash[6] & 0x0f) | 0x30
  hash[8] = (hash[8] & 0x3f) | 0x80
  return hash.toString('hex')
}

function speakVanilla (client, server, config, data, tell) {
  const { end } = client
  const unverified = JSON.stringify({ translate: 'multiplayer.disconnect.unverified_username' })
  client.end = (reason, full) => end.call(client, reason, reason === UNVERIFIED ? unverified : full)
  if (config.denyAtLogin) { // whitelist and bans, before the login succeeds, in JSON
    client.removeAllListeners('login_start')
    client.once('login_start', () => refuse(client, config.denyAtLogin))
  }
  if (config.isMute) client.removeAllListeners('login_start')
  client.prependListener('set_protocol', packet => {
    tell({ t: 'knock', protocol: packet.protocolVersion, isPing: packet.nextState === 1 })
    const ours = server.mcversion.version
    if (packet.nextState === 1 || packet.protocolVersion === ours) return
    const key = outdated(data, packet.protocolVersion < ours)
    packet.protocolVersion = ours
    client.removeAllListeners('login_start')
    const required = { translate: `multiplayer.disconnect.${key}`, with: [data.version.minecraftVersion] }
    setImmediate(() => refuse(client, required))
  })
}

function outdated (data, isClientOld) {
  if (data.version['>=']('1.16')) return 'incompatible'
  return isClientOld ? 'outdated_client' : 'outdated_server'
}

function refuse (client, component) {
  client.write('disconnect', { reason: JSON.stringify(component) })
  client._end('refused')
}

module.exports = { createServer }
