'use strict'
// Hunger where the world is not peaceful: what one does tires, who is full heals, who is empty starves.
// After vanilla 1.16.5; source: minecraft.wiki/w/Hunger.

const { isKeptOff } = require('./armour.cjs')
const { listen } = require('./clients.cjs')
const table = require('../vanilla/dangers.json')

const {
  tires: TIRES, point: POINT, heals_from: HEALS, quick_ticks: QUICK, slow_ticks: SLOW, starves_to: STARVES_TO
} = table.hunger // exhaustion, that which takes a point, food, ticks between two points healed or lost, health
const FULL = 20
const STARVING = { key: 'death.attack.starve' }
const MORTAL = [0, 2] // game modes: survival and adventure
const RUNS = { start_sprinting: true, stop_sprinting: false }

module.exports = function hunger (serv, { strike }) {
  function tire (player, exhaustion) {
    if (!serv.difficulty || !MORTAL.includes(player.gameMode)) return
    player.exhaustion += exhaustion
    while (player.exhaustion >= POINT) {
      player.exhaustion -= POINT
      if (player.foodSaturation > 0) player.updateFoodSaturation(Math.max(0, player.foodSaturation - 1))
      else player.updateFood(Math.max(0, player.food - 1))
    }
  }

  function live (player, count) {
    const isHurt = player.health < FULL
    if (isHurt && player.food >= FULL && player.foodSaturation > 0) {
      const spent = Math.min(player.foodSaturation, TIRES.heal)
      heal(player, spent / TIRES.heal, spent)
    } else if (count % SLOW === 0 && isHurt && player.food >= HEALS) heal(player, 1, TIRES.heal)
    else if (count % SLOW === 0 && player.food <= 0 && player.health > STARVES_TO[serv.difficulty]) {
      strike(player, 1, STARVING)
    }
  }

  function heal (player, health, exhaustion) {
    player.updateHealth(Math.min(FULL, player.health + health))
    tire(player, exhaustion)
  }

  function move (player, { position, onGround, teleport }) {
    const last = player.lastStep ?? { position, onGround }
    player.lastStep = { position, onGround }
    if (teleport) return
    const { x, y, z } = position.minus(last.position)
    if (player.isWet) tire(player, Math.hypot(x, player.isUnder ? y : 0, z) * TIRES.metreSwum)
    else if (player.isRunning && onGround) tire(player, Math.hypot(x, z) * TIRES.metreRun)
    if (last.onGround && !onGround && y > 0) tire(player, player.isRunning ? TIRES.runningJump : TIRES.jump)
  }

  serv.on('tick', (delta, count) => {
    if (!serv.difficulty || count % QUICK) return
    for (const player of serv.players) {
      if (player.listed && player.health > 0) live(player, count)
    }
  })

  serv.on('newPlayer', player => {
    player.exhaustion = 0
    player.on('move', step => move(player, step))
    player.on('landed', () => tire(player, TIRES.blow))
    player.on('hurt', key => { if (isKeptOff(key)) tire(player, TIRES.harm) })
    player.on('broke', () => tire(player, TIRES.block))
    listen(serv, player, 'entity_action', ({ actionId }) => {
      if (actionId in RUNS) player.isRunning = RUNS[actionId]
    })
    listen(serv, player, 'client_command', () => { if (player.health <= 0) player.exhaustion = 0 })
  })
}
