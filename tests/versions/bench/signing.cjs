'use strict'
// enforce-secure-profile=true from 1.19.3 on: who cannot sign chat is thrown out. Written from the
// protocol, apart from minecraft-protocol, whose own check no signature passes.
const crypto = require('node:crypto')

const KEY = 'multiplayer.disconnect.'

/** What a client signs with; `heed` takes its packets and returns a kick's component, or null. */
class Signing {
  constructor (uuid, mojangKey) {
    this.uuid = bytesOf(uuid)
    this.mojangKey = mojangKey
    this.session = null
  }

  heed (kind, packet) {
    if (kind === 'chat_session_update') return this.begin(packet)
    if (kind === 'chat_message') return this.isSigned(packet.message, packet.signature, packet) ? null : refusal('chat_validation_failed')
    if (/^chat_command/.test(kind)) return this.isCommandSigned(packet) ? null : refusal('chat_validation_failed')
    return null
  }

  begin ({ sessionUUID, publicKey, expireTime, signature }) {
    const proven = Buffer.concat([this.uuid, long(expireTime), publicKey])
    if (!crypto.verify('RSA-SHA1', proven, this.mojangKey, signature)) return refusal('invalid_public_key_signature')
    const key = crypto.createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    this.session = { uuid: bytesOf(sessionUUID), key, index: 0 }
    return null
  }

  // Only /tell takes words of a player here.
  isCommandSigned (packet) {
    const [, words] = /^tell \S+ (.*)$/s.exec(packet.command) ?? []
    if (words === undefined) return true
    const signed = packet.argumentSignatures?.find(({ argumentName }) => argumentName === 'message')
    return signed !== undefined && this.isSigned(words, signed.signature, packet)
  }

  isSigned (words, signature, { salt, timestamp }) {
    if (!this.session || !signature) return false
    const { key, uuid, index } = this.session
    const text = Buffer.from(words)
    const signable = Buffer.concat([
      int(1), this.uuid, uuid, int(index), long(salt), long(BigInt(timestamp) / 1000n), int(text.length), text, int(0)
    ])
    this.session.index++
    return crypto.verify('RSA-SHA256', signable, key, signature)
  }
}

/** The packet that tells clients of /tell, whose words they then sign. */
function tellCommand () {
  const node = (type, children, extraNodeData) => ({
    flags: { unused: 0, allows_restricted: 0, has_custom_suggestions: 0, has_redirect_node: 0, has_command: 0, command_node_type: type },
    children,
    extraNodeData
  })
  const target = { onlyAllowEntities: 1, onlyAllowPlayers: 1, unused: 0 }
  return ['declare_commands', {
    nodes: [
      node(0, [1]),
      node(1, [2], { name: 'tell' }),
      node(2, [3], { name: 'targets', parser: 'minecraft:entity', properties: target }),
      node(2, [], { name: 'message', parser: 'minecraft:message' })
    ],
    rootIndex: 0
  }]
}

function refusal (name) {
  return { translate: KEY + name }
}

function bytesOf (uuid) {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function int (value) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function long (value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

module.exports = { Signing, tellCommand }
