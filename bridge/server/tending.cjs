'use strict'
// Using what is held on an animal: shears on a sheep, whose wool grows again, a bucket on a cow.

const { listen, alive } = require('./clients.cjs')

const USE = 0 // what a click on an entity means: use, strike, use at a point
const WOOL_MS = 60000 // vanilla: as soon as it eats grass, once in 50 s
const [LEAST_WOOL, MOST_WOOL] = [1, 3]

module.exports = function tending (serv, { items, inventory, dropped, wear, animals, exchange }) {
  function shear (player, sheep) {
    if (sheep.isShorn) return
    animals.setShorn(sheep, true)
    setTimeout(() => serv.entities[sheep.id] === sheep && animals.setShorn(sheep, false), WOOL_MS).unref()
    const count = LEAST_WOOL + Math.floor(Math.random() * (MOST_WOOL - LEAST_WOOL + 1))
    dropped.drop(sheep.world, sheep.position.offset(0, 1, 0), items.named('white_wool', count))
    wear(player)
  }

  function milk (player) {
    exchange(player, inventory.held(player), items.named('milk_bucket'))
  }

  const USES = { 'shears sheep': shear, 'bucket cow': milk }

  function use (player, id) {
    const animal = alive(player) && animals.inReach(player, id)
    const item = inventory.held(player)
    if (animal && item) USES[`${item.name} ${animal.name}`]?.(player, animal)
  }

  serv.on('newPlayer', player => listen(serv, player, 'use_entity', ({ target, mouse }) => {
    if (mouse === USE) use(player, target)
  }))
}
