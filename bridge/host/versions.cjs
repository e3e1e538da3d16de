'use strict'
// Which version to speak: the one a server tells in its ping, or the one that is set, as the
// version of the same protocol that Mineflayer was tried with.
const { load } = require('./packages.cjs')
const { Refusal } = require('./refusal.cjs')

const { ping } = load('minecraft-protocol')
const minecraftData = load('minecraft-data')
const { testedVersions, latestSupportedVersion, oldestSupportedVersion } = load('mineflayer')

const PONG_MS = 1000 // some servers tell about themselves and then fall silent
const GRACE_MS = 1000 // beyond the deadline of the spawn, which says more
const NO_STATUS = /before the server sent a status/ // it is switched off: enable-status=false
const NUMBERS = /\d+(?:\.\d+)+/g

const infos = minecraftData.versionsByMinecraftVersion.pc
const byProtocol = new Map(testedVersions.map(version => [infos[version].version, version]))
const newestProtocol = infos[latestSupportedVersion].version

/** The version to join with. Refuses one that is too new, too old or none. */
async function versionFor ({ host, port, version, timeout_s: timeoutS }) {
  if (version) return sibling(infos[version]?.version, version)
  const status = await statusOf(host, port, timeoutS)
  return status ? told(status.version) : latestSupportedVersion
}

async function statusOf (host, port, timeoutS) {
  const closeTimeout = timeoutS * 1000 + GRACE_MS
  try {
    return await ping({ host, port, closeTimeout, noPongTimeout: PONG_MS })
  } catch (error) {
    if (NO_STATUS.test(error.message)) return null
    throw error
  }
}

// A proxy may tell a range of versions, or a number of no version: then its words count.
function told ({ protocol, name = '' }) {
  const named = (String(name).match(NUMBERS) ?? []).map(one => byProtocol.get(infos[one]?.version))
  const known = byProtocol.get(protocol) ?? testedVersions.findLast(one => named.includes(one))
  return known ?? sibling(protocol, name)
}

function sibling (protocol, name) {
  const version = byProtocol.get(protocol)
  if (version) return version
  const key = protocol === undefined || protocol < 0
    ? 'unknown_version'
    : protocol > newestProtocol ? 'too_new' : 'too_old'
  const range = `townsfolk speaks ${oldestSupportedVersion} to ${latestSupportedVersion}`
  throw refused(key, key === 'unknown_version'
    ? `“${name}” is no version of Minecraft; ${range}.`
    : `This server is ${name || `of protocol ${protocol}`}; ${range}.`)
}

function refused (key, text) {
  return new Refusal('spawn_failed', text, { ending: 'error', text, key })
}

module.exports = { versionFor }
