'use strict'
// What players see of the steps and looks of one another and of creatures: where each is by now,
// every two or three ticks.

// expected: all that one has moved and turned in these ticks is one packet, and one for the head
// actual:   flying-squid tells each move, each look and each turn of a head by itself, to all at
//           once. Among fifty who walk about, or among monsters, that is most of what server and
//           clients compute
// remove when: updatePositions.js of flying-squid tells them in its ticks, as vanilla does
const EVERY_MS = { player: 100, mob: 150 } // two ticks and three
const MOST = 2 ** 15 - 1 // of a move on the wire, in 4096ths of a block

const NOTES = {
  rel_entity_move: (step, { dX, dY, dZ, onGround }) =>
    Object.assign(step, { dX: step.dX + dX, dY: step.dY + dY, dZ: step.dZ + dZ, onGround, moved: true }),
  entity_look: (step, { yaw, pitch, onGround }) => Object.assign(step, { yaw, pitch, onGround, turned: true }),
  entity_head_rotation: (step, { headYaw }) => Object.assign(step, { headYaw })
}

module.exports = function steps (serv, now = () => performance.now()) {
  const tellers = Object.fromEntries(Object.entries(EVERY_MS).map(([type, ms]) => [type, teller(serv, ms, now)]))

  serv.on('newEntity', entity => {
    if (!tellers[entity.type]) return
    const { note, tellOf } = tellers[entity.type]
    const tell = entity._writeOthersNearby
    entity._writeOthersNearby = (name, fields) => {
      if (name in NOTES) return note(entity, name, fields)
      tellOf(entity) // what else it does, it does there
      tell(name, fields)
    }
  })

  serv.on('newPlayer', player => {
    // A spawn packet tells where one is by now: the step up to there may not come after it.
    const show = player.spawnEntity
    player.spawnEntity = entity => {
      tellers[entity.type]?.tellOf(entity)
      show(entity)
    }
    const put = player.teleport
    player.teleport = async position => {
      await put(position)
      tellers.player.tellOf(player) // nobody waits for who is put elsewhere
    }
    player.once('disconnected', () => tellers.player.forget(player))
  })
}

/** Gathers steps, and tells them together every so often. */
function teller (serv, everyMs, now) {
  const untold = new Map() // entity -> its step since the players were told
  let timer = null
  let toldAt = -Infinity

  function note (entity, name, fields) {
    if (!fits(untold.get(entity), fields)) tellOf(entity)
    if (!untold.has(entity)) untold.set(entity, { dX: 0, dY: 0, dZ: 0 })
    NOTES[name](untold.get(entity), fields)
    timer ??= setTimeout(tellAll, Math.max(0, toldAt + everyMs - now()))
  }

  function tellAll () {
    timer = null
    toldAt = now()
    for (const entity of [...untold.keys()]) tellOf(entity)
  }

  function tellOf (entity) {
    const step = untold.get(entity)
    if (!untold.delete(entity)) return
    const nearby = entity.getNearbyPlayers()
    for (const [name, fields] of packetsOf(entity.id, step)) serv._writeArray(name, fields, nearby)
  }

  return { note, tellOf, forget: entity => untold.delete(entity) }
}

function fits (step, { dX, dY, dZ }) {
  if (!step || dX === undefined) return true
  return [step.dX + dX, step.dY + dY, step.dZ + dZ].every(sum => Math.abs(sum) <= MOST)
}

function packetsOf (entityId, { moved, turned, dX, dY, dZ, yaw, pitch, headYaw, onGround }) {
  const packets = []
  if (moved && turned) packets.push(['entity_move_look', { entityId, dX, dY, dZ, yaw, pitch, onGround }])
  else if (moved) packets.push(['rel_entity_move', { entityId, dX, dY, dZ, onGround }])
  else if (turned) packets.push(['entity_look', { entityId, yaw, pitch, onGround }])
  if (headYaw !== undefined) packets.push(['entity_head_rotation', { entityId, headYaw }])
  return packets
}
