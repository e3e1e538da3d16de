'use strict'
// Who is on the list and in view, as each version's packets: [name, packet].

const STILL = { x: 0, y: 0, z: 0 }

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
  const packet = { entityId: id, ...scaled(data, at), yaw: 0, pitch: 0 }
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
  const packet = { entityId: id, type, ...scaled(data, at), yaw: 0, pitch: 0, headPitch: 0, velocity: STILL }
  if (data.version['>=']('1.19')) return ['spawn_entity', { ...packet, objectUUID: uuid, objectData: 0 }]
  return ['spawn_entity_living', { ...packet, entityUUID: uuid, metadata: [] }]
}

// minecraft-data names mobs of 1.10 and before as their save files did: PolarBear.
function oldName (name) {
  return name.split('_').map(word => word[0].toUpperCase() + word.slice(1)).join('')
}

function health ({ data: { version } }, id, value) {
  const key = version['>=']('1.17') ? 9 : version['>=']('1.14') ? 8 : version['>=']('1.10') ? 7 : 6
  const type = version['>=']('1.19.3') ? 'float' : version['>=']('1.9') ? 2 : 3
  return ['entity_metadata', { entityId: id, metadata: [{ key, type, value }] }]
}

function effect ({ data }, id, name) {
  const { id: effectId } = data.effectsArray.find(one => one.name.toLowerCase() === name)
  const hideParticles = data.version['>=']('1.9') ? 0 : false
  return ['entity_effect', { entityId: id, effectId, amplifier: 0, duration: 600, hideParticles, flags: 0 }]
}

function scaled (data, { x, y, z }) {
  if (!data.supportFeature('fixedPointPosition')) return { x, y, z }
  return { x: Math.floor(x * 32), y: Math.floor(y * 32), z: Math.floor(z * 32) }
}

module.exports = { effect, health, held, listed, mob, moved, player, unlisted }
