'use strict'
// What vanilla tells of a death: to the dead, and to all in public.
const { line } = require('./talking.cjs')
const { entityName, playerName } = require('./text.cjs')

const NOBODY = -1
const DEAD = 2 // of combat_event

/** Tell how a player died, by whom ({name, id}): in public, and to the dead alone.
 *  Or how a creature `of` somebody's died. */
function announce (scene, player, { key, by, of, isPublic = true, isPrivate = true }, hearer = player) {
  const { data } = scene
  const killer = by && (by.name === 'player' ? playerName(data, by.player) : entityName(data, by))
  const whom = of ? entityName(data, of) : playerName(data, player)
  const message = { translate: key, with: [whom, ...(killer ? [killer] : [])] }
  if (isPublic) hearer.client.write(...line(scene, 'death', { message }))
  if (isPrivate) player.client.write(...combatEvent(scene, player, message))
}

function combatEvent ({ data, text }, { id, name }, message) {
  const since = data.version['>=']
  if (since('1.17')) return ['death_combat_event', { playerId: id, entityId: NOBODY, message: text(message) }]
  // 1.8 sends words, later versions the component.
  const words = since('1.9') ? JSON.stringify(message) : `${name} died`
  return ['combat_event', { event: DEAD, playerId: id, entityId: NOBODY, message: words }]
}

/** From 1.19.4 on; `type` by name, `by` the number of a being. */
function damageEvent ({ damageTypes }, entityId, type, by = NOBODY) {
  const sourceTypeId = damageTypes.indexOf(`minecraft:${type}`)
  if (sourceTypeId < 0) throw new Error(`no damage ${type}`)
  return ['damage_event', { entityId, sourceTypeId, sourceCauseId: by + 1, sourceDirectId: by + 1 }]
}

/** The names of the types of damage, in the order of their numbers. */
function damageTypes ({ loginPacket }) {
  const codec = loginPacket?.dimensionCodec
  if (!codec) return []
  return codec['minecraft:damage_type']?.entries.map(({ key }) => key) ??
    codec.value?.['minecraft:damage_type']?.value.value.value.value.map(({ name }) => name.value) ?? []
}

module.exports = { announce, damageEvent, damageTypes }
