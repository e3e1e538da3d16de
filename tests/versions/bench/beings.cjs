'use strict'
// Who is on the list and in view, as each version's packets: [name, packet].

const witnesses = require('../witnesses.json')

const STILL = { x: 0, y: 0, z: 0 }
const LYING = 2 // up to 1.13, where what lies and flies has numbers of its own; source: Cuberite, Protocol_1_8.cpp

/** The tab list's rows of players. */
function listed ({ data }, players) {
  if (!data.version['>=']('1.19.3')) {
    const rows = players.map(({ name, uuid }) => ({ uuid, name, properties: [], gamemode: 0, ping: 20 }))
    return ['player_info', { action: 'add_player', data: rows }]
  }
  const rows = players.map(({ name, uuid }) => (
    { uuid, player: { name, properties: [] }, gamemode: 0, listed: 1, latency: 20, listPriority: 0, showHat: true }))
  return ['player_info', { action: shownOnList(data.version), data: rows }]
}

function shownOnList (version) {
  return {
    add_player: true,
    initialize_chat: true,
    update_game_mode: true,
    update_listed: true,
    update_latency: true,
    update_display_name: true,
    ...(version['>=']('1.21.2') && { update_list_order: true }),
    ...(version['>=']('1.21.4') && { update_hat: true })
  }
}

function unlisted ({ data }, { uuid }) {
  if (data.version['>=']('1.19.3')) return ['player_remove', { players: [uuid] }]
  return ['player_info', { action: 'remove_player', data: [{ uuid }] }]
}

/** A player who comes into view. */
function player ({ data }, { uuid, id, at }) {
  const packet = packetOf(data, id, at)
  if (!data.version['>=']('1.20.2')) {
    return ['named_entity_spawn', { ...packet, playerUUID: uuid, currentItem: 0, metadata: [] }]
  }
  const type = data.entitiesByName.player.id
  return ['spawn_entity', { ...packet, objectUUID: uuid, type, headPitch: 0, objectData: 0, velocity: STILL }]
}

/** What a player in view holds in the main hand. */
function held ({ data }, entityId, item) {
  const slot = 0
  if (data.version['>=']('1.16')) return ['entity_equipment', { entityId, equipments: [{ slot, item }] }]
  return ['entity_equipment', { entityId, slot, item }]
}

/** Where an entity is now. */
function moved ({ data }, entityId, at) {
  const packet = { entityId, ...scaled(data, at), dx: 0, dy: 0, dz: 0, yaw: 0, pitch: 0, onGround: true }
  return [data.version['>=']('1.21.2') ? 'sync_entity_position' : 'entity_teleport', packet]
}

function mob ({ data }, { name, uuid, id, at }) {
  const type = (data.entitiesByName[name] ?? data.entitiesByName[oldName(name)]).id
  const packet = { ...packetOf(data, id, at), type, headPitch: 0, velocity: STILL }
  if (data.version['>=']('1.19')) return ['spawn_entity', { ...packet, objectUUID: uuid, objectData: 0 }]
  return ['spawn_entity_living', { ...packet, entityUUID: uuid, metadata: [] }]
}

// minecraft-data names mobs of 1.10 and before as their save files did: PolarBear.
function oldName (name) {
  return name.split('_').map(word => word[0].toUpperCase() + word.slice(1)).join('')
}

/** Items that lie there; what they are is told apart. */
function lying ({ data }, { uuid, id, at }) {
  const type = data.version['>=']('1.14') ? data.entitiesByName.item.id : LYING
  return ['spawn_entity', { ...packetOf(data, id, at), type, objectUUID: uuid, headPitch: 0, objectData: 1, velocity: STILL }]
}

/** What is to be known of an entity: {name of a field: value}. */
function known ({ data: { version } }, id, facts) {
  const metadata = Object.entries(facts).map(([name, value]) => {
    const [, key, type] = witnesses.fields[name].rows.findLast(([since]) => version['>='](since))
    return { key, type, value }
  })
  return ['entity_metadata', { entityId: id, metadata }]
}

function packetOf (data, entityId, at) {
  return { entityId, ...scaled(data, at), yaw: 0, pitch: 0 }
}

/** An arm swings; an own body is pushed, in blocks a tick. */
function swing (entityId) {
  return ['animation', { entityId, animation: 0 }]
}

function push ({ data }, entityId, [x, z]) {
  const scale = data.version['>=']('1.21.9') ? 1 : 8000
  return ['entity_velocity', { entityId, velocity: { x: x * scale, y: 0.1 * scale, z: z * scale } }]
}

function scaled (data, { x, y, z }) {
  if (!data.supportFeature('fixedPointPosition')) return { x, y, z }
  return { x: Math.floor(x * 32), y: Math.floor(y * 32), z: Math.floor(z * 32) }
}

module.exports = { held, known, listed, lying, mob, moved, player, push, swing, unlisted }
