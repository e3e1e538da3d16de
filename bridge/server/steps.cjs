'use strict'
// What players see of one another's steps and looks: where each is by now, every other tick.

// expected: all that one has moved and turned in two ticks is one packet, and one for the head
// actual:   flying-squid tells each move, each look and each turn of a head by itself, to all at
//           once. Among fifty who walk about that is most of what server and clients compute
// remove when: updatePositions.js of flying-squid tells them in its ticks, as vanilla does
const EVERY_MS = 100 // two ticks
const MOST = 2 ** 15 - 1 // of a move on the wire, in 4096ths of a block

const NOTES = {
  rel_entity_move: (step, { dX, dY, dZ, onGround }) =>
    Object.assign(step, { dX: step.dX + dX, dY: step.dY + dY, dZ: step.dZ + dZ, onGround, moved: true }),
  entity_look: (step, { yaw, pitch, onGround }) => Object.assign(step, { yaw, pitch, onGround, turned: true }),
  entity_head_rotation: (step, { headYaw }) => Object.assign(step, { headYaw })
}

module.exports = function steps (serv, now = () => performance.now()) {
  const untold = new Map() // player -> its step since the others were told
  let timer = null
  let toldAt = -Infinity

  serv.on('newPlayer', player => {
    const tell = player._writeOthersNearby
    player._writeOthersNearby = (name, fields) => {
      if (name in NOTES) return note(player, name, fields)
      tellOf(player) // what else it does, it does there
      tell(name, fields)
    }
    // A spawn packet tells where one is by now: the step up to there may not come after it.
    const show = player.spawnEntity
    player.spawnEntity = entity => {
      tellOf(entity)
      show(entity)
    }
    const put = player.teleport
    player.teleport = async position => {
      await put(position)
      tellOf(player) // nobody waits for who is put elsewhere
    }
    player.once('disconnected', () => untold.delete(player))
  })

  function note (player, name, fields) {
    if (!fits(untold.get(player), fields)) tellOf(player)
    if (!untold.has(player)) untold.set(player, { dX: 0, dY: 0, dZ: 0 })
    NOTES[name](untold.get(player), fields)
    timer ??= setTimeout(tellAll, Math.max(0, toldAt + EVERY_MS - now()))
  }

  function tellAll () {
    timer = null
    toldAt = now()
    for (const player of [...untold.keys()]) tellOf(player)
  }

  function tellOf (player) {
    const step = untold.get(player)
    if (!untold.delete(player)) return
    const nearby = player.getNearbyPlayers()
    for (const [name, fields] of packetsOf(player.id, step)) serv._writeArray(name, fields, nearby)
  }
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
