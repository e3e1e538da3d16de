'use strict'
// What a server says from the login to the first tick, in each version's packets.
const { load } = require('./packages.cjs')

const nbt = load('prismarine-nbt')

const SPAWN = { x: 8.5, y: 64, z: 8.5 }
const PACK = '3d9bd1e8-0d8a-4b0e-9b5b-0d0f64ab23c2'
const DIMENSIONS = { overworld: 0, the_nether: -1, the_end: 1 }

/** The configuration phase of 1.20.2 and later, in vanilla's order: brand, flags, packs,
 *  registries, whatever `config` asks for, done. */
function configure (client, scene) {
  const { data, config, tell } = scene
  client.removeAllListeners('login_acknowledged')
  client.once('login_acknowledged', begin)
  client.on('configuration_acknowledged', begin) // a proxy moves the player to another server

  function begin () {
    client.state = 'configuration'
    client.write('custom_payload', { channel: 'minecraft:brand', data: brand(config.brand) })
    client.write('feature_flags', { features: ['minecraft:vanilla'] })
    if (config.denyInConfiguration) return deny(client, scene)
    const steps = [registries, codeOfConduct, cookie, pack, done]
    const next = () => steps.shift()?.(next)
    next()
  }

  function registries (next) {
    const codec = data.loginPacket.dimensionCodec
    if (!data.supportFeature('segmentedRegistryCodecData')) {
      client.write('registry_data', { codec: withRaw(codec, config.brand) })
      return next()
    }
    client.once('select_known_packs', () => {
      for (const key in codec) client.write('registry_data', withRawEntry(codec[key], config.brand))
      next()
    })
    const core = { namespace: 'minecraft', id: 'core', version: data.version.minecraftVersion }
    client.write('select_known_packs', { packs: [core] })
  }

  function codeOfConduct (next) {
    if (!config.codeOfConduct) return next()
    client.once('accept_code_of_conduct', next)
    client.write('code_of_conduct', { contents: config.codeOfConduct })
  }

  function cookie (next) {
    if (!config.cookie) return next()
    client.once('cookie_response', packet => {
      tell({ t: 'cookie', key: packet.key, value: packet.value ?? null })
      next()
    })
    client.write('cookie_request', { cookie: 'bench:visits', key: 'bench:visits' })
  }

  // Velocity and Paper wait for the pack they sent; vanilla takes any answer, and two at most.
  function pack (next) {
    if (!config.pack) return next()
    const answers = []
    client.on('resource_pack_receive', packet => {
      tellOfPack(scene, client, packet)
      if (isOurPack(packet) || config.brand === 'vanilla') answers.push(packet.result)
      if (answers.length === 2) next()
    })
    sendPack(client, scene)
  }

  function done () {
    client.once('finish_configuration', () => {
      client.state = 'play'
      scene.server.emit('playerJoin', client)
    })
    client.write('finish_configuration', {})
  }
}

function deny (client, { config, text }) {
  client.write('disconnect', { reason: text(config.denyInConfiguration) })
  setTimeout(() => client._end('denied'), 50)
}

function brand (name) {
  return Buffer.from([name.length, ...Buffer.from(name)])
}

function tellOfPack ({ tell }, client, packet) {
  tell({ t: 'pack', phase: client.state, result: packet.result, isRight: isOurPack(packet) })
}

function isOurPack ({ uuid }) {
  return uuid === undefined || uuid === PACK
}

function sendPack (client, { data, text }) {
  const name = data.version['>=']('1.20.3') ? 'add_resource_pack' : 'resource_pack_send'
  client.write(name, {
    uuid: PACK,
    url: 'http://127.0.0.1:9/pack.zip',
    hash: '0'.repeat(40),
    forced: true,
    promptMessage: text({ text: 'Please take our pack' })
  })
}

// --- Paper's own chat type: what chat plugins made of a line -------------------------

function rawTag () {
  const whole = nbt.comp({
    translation_key: nbt.string('%s'),
    parameters: nbt.list(nbt.string(['content']))
  })
  return nbt.comp({ chat: whole, narration: whole })
}

function withRaw (codec, brand) {
  if (brand !== 'Paper' || !codec.value['minecraft:chat_type']) return codec
  const copy = structuredClone(codec)
  const rows = copy.value['minecraft:chat_type'].value.value.value.value
  if (!rows.some(({ name }) => name.value.endsWith('raw'))) {
    rows.push({ name: nbt.string('paper:raw'), id: nbt.int(rows.length), element: rawTag() })
  }
  return copy
}

function withRawEntry (registry, brand) {
  if (brand !== 'Paper' || registry.id !== 'minecraft:chat_type') return registry
  return { ...registry, entries: [...registry.entries, { key: 'paper:raw', value: rawTag() }] }
}

// --- packets -------------------------------------------------------------------------

const OLD_LOGIN = { dimension: 0, difficulty: 1, levelType: 'default' } // before 1.16

function loginPacket ({ data, config }, entityId) {
  const base = structuredClone(data.loginPacket ?? OLD_LOGIN)
  const packet = {
    hashedSeed: [0, 0],
    ...base,
    entityId,
    maxPlayers: 20,
    viewDistance: 10,
    enableRespawnScreen: true,
    reducedDebugInfo: false
  }
  if (!base.worldState) packet.gameMode = 0
  if (packet.dimensionCodec?.value) packet.dimensionCodec = withRaw(packet.dimensionCodec, config.brand)
  return inWorld(packet, config.world)
}

// A server of several worlds (Multiverse) names each; their dimension is the same.
function inWorld (packet, world) {
  if (!world) return packet
  if (packet.worldState) packet.worldState.name = `minecraft:${world}`
  else packet.worldName = `minecraft:${world}`
  return packet
}

/** Into a dimension, and a world of it where there are several. */
function respawnPacket ({ data }, dimension, world = dimension) {
  const { version } = data
  const login = structuredClone(data.loginPacket ?? {})
  const named = `minecraft:${dimension}`
  const worldName = `minecraft:${world}`
  if (version['>=']('1.20.5')) {
    const types = login.dimensionCodec['minecraft:dimension_type'].entries.map(({ key }) => key)
    const worldState = { ...login.worldState, dimension: types.indexOf(named), name: worldName, death: undefined }
    return { worldState, copyMetadata: 0 }
  }
  const common = {
    worldName,
    hashedSeed: [0, 0],
    gamemode: 0,
    previousGamemode: 255,
    isDebug: false,
    isFlat: false,
    copyMetadata: false,
    portalCooldown: 0
  }
  if (version['>=']('1.19')) return { ...common, dimension: named }
  if (version['>=']('1.16.2')) return { ...common, dimension: dimensionTag(login, named) }
  return { dimension: DIMENSIONS[dimension], difficulty: 1, gamemode: 0, levelType: 'default', hashedSeed: [0, 0] }
}

function dimensionTag (login, named) {
  const rows = login.dimensionCodec.value['minecraft:dimension_type'].value.value.value.value
  const { element } = rows.find(({ name }) => name.value === named)
  return { type: 'compound', name: '', value: element.value }
}

/** Vanilla's /tp keeps where a player looks (`keepsLook`); a join does not. */
function positionPacket ({ data: { version } }, at, teleportId, keepsLook = false) {
  const named = keepsLook ? { yaw: true, pitch: true } : {}
  const flags = version['>=']('1.20.5') ? named : keepsLook ? 0x18 : 0
  return { teleportId, ...at, dx: 0, dy: 0, dz: 0, yaw: 0, pitch: 0, flags, dismountVehicle: false }
}

function spawnPacket ({ data: { version } }) {
  const location = { x: 8, y: 64, z: 8 }
  if (!version['>=']('1.21.9')) return { location, angle: 0 }
  return { globalPos: { dimensionName: 'minecraft:overworld', location }, yaw: 0, pitch: 0 }
}

function timePacket ({ data: { version } }, ticks) {
  const age = [0, 1000]
  if (!version['>=']('26.1')) return { age, time: [0, ticks], tickDayTime: true }
  const clock = id => ({ id, totalTicks: ticks, partialTick: 0, rate: 1 })
  return { age, clockUpdates: [clock(0), clock(1)] }
}

module.exports = {
  SPAWN,
  brand,
  configure,
  loginPacket,
  positionPacket,
  respawnPacket,
  sendPack,
  spawnPacket,
  tellOfPack,
  timePacket
}
