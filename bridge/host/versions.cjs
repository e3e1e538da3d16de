'use strict'
// Which version to speak: the one a server tells in its ping, or the one that is set, as the
// version of the same protocol that bots were tried with.
const { load } = require('./packages.cjs')
const { Refusal } = require('./refusal.cjs')
const { wordsOf } = require('./words.cjs')
const TABLE = require('../versions.json')

const { ping } = load('minecraft-protocol')
const infos = load('minecraft-data').versionsByMinecraftVersion.pc

const PONG_MS = 1000 // some servers tell about themselves and then fall silent
const GRACE_MS = 1000 // beyond the deadline of the spawn, which says more
const NO_STATUS = /before the server sent a status/ // it is switched off: enable-status=false
const NUMBERS = /\d+(?:\.\d+)+/g

/** The versions of a table as in versions.json. */
class Spoken {
  constructor (table) {
    this.table = table
    this.joined = Object.keys(table).filter(version => table[version].known !== 'newer')
    this.byProtocol = new Map(this.joined.map(version => [table[version].protocol, version]))
    this.newest = this.joined.at(-1)
  }

  /** The version to join with, of a server that tells this. A proxy may tell a range of versions,
   *  or a number of no version: then its words count. */
  told ({ protocol, name = '' }) {
    const named = (String(name).match(NUMBERS) ?? []).map(one => this.byProtocol.get(this.protocolOf(one)))
    const known = this.byProtocol.get(protocol) ?? this.joined.findLast(one => named.includes(one))
    return known ?? this.sibling(protocol, name)
  }

  /** The version to join with, of one that was set. */
  named (version) {
    return this.sibling(this.protocolOf(version), version)
  }

  sibling (protocol, name) {
    const version = this.byProtocol.get(protocol)
    if (version) return version
    const key = this.whyNot(protocol)
    throw refused(key === 'unknown_version'
      ? `“${name}” is no version of Minecraft`
      : `Minecraft ${name || `of protocol ${protocol}`}`, { key })
  }

  whyNot (protocol) {
    if (protocol === undefined || protocol < 0) return 'unknown_version'
    return protocol > this.table[this.newest].protocol ? 'too_new' : 'too_old'
  }

  protocolOf (version) {
    return this.table[version]?.protocol ?? infos[version]?.version
  }
}

function refused (text, { key = '', ending = 'error' }) {
  return new Refusal('spawn_failed', text, { ending, text, key })
}

const spoken = new Spoken(TABLE)

/** The version to join with. Refuses one that is too new, too old or none. */
async function versionFor ({ host, port, version, timeout_s: timeoutS }) {
  if (version) return spoken.named(version)
  const status = await statusOf(host, port, timeoutS)
  if (!status) return spoken.newest
  if (isClosedViaProxy(status.version)) throw refused(wordsOf(status.description).text, { ending: 'kicked' })
  return spoken.told(status.version)
}

// ViaProxy tells no server's version where it lets nobody through, but why.
function isClosedViaProxy ({ protocol, name }) {
  return protocol < 0 && name === 'ViaProxy'
}

// Asked as the newest version: what translates for older clients tells the one it was asked in.
async function statusOf (host, port, timeoutS) {
  const closeTimeout = timeoutS * 1000 + GRACE_MS
  try {
    return await ping({ host, port, version: spoken.newest, closeTimeout, noPongTimeout: PONG_MS })
  } catch (error) {
    if (NO_STATUS.test(error.message)) return null
    throw error
  }
}

module.exports = { Spoken, versionFor }
