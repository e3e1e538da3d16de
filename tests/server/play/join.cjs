'use strict'
// Joining and leaving: who sees whom.

const seen = (bot, name) => bot.players[name]?.entity?.position

async function two ({ join, until }) {
  const [anna, ben] = [await join('anna'), await join('ben')] // names nobody has had before
  const spots = await until(() => {
    const both = [seen(anna, 'ben'), seen(ben, 'anna')]
    return both.every(Boolean) && both
  })
  return {
    tabs: [anna, ben].map(bot => Object.keys(bot.players).sort()),
    spots: spots.map(({ x, y, z }) => [x, y, z])
  }
}

async function ten ({ join, until }) {
  const names = Array.from({ length: 10 }, (_, i) => `guest${i}`)
  const bots = await Promise.all(names.map(name => join(name)))
  const others = bot => names.filter(name => name !== bot.username && seen(bot, name)).length
  await until(() => bots.every(bot => others(bot) === 9)).catch(() => {})
  return bots.map(others)
}

async function twice ({ join, until, admin }) {
  const first = await join('alice')
  const second = await join('alice')
  await until(() => first.over)
  const players = await admin('players')
  return { first: first.kickedWith, second: second.kickedWith, players: players.map(({ name }) => name) }
}

async function standingStill ({ join, admin }) {
  const first = await join('alice')
  first.removeAllListeners('error').on('error', () => {}) // the server cuts it off
  first._client.socket.pause()
  await join('alice')
  const players = await admin('players')
  first._client.socket.resume()
  return players.map(({ name }) => name)
}

async function invalidName ({ enter, until }) {
  const intruder = enter('bad name!')
  return await until(() => intruder.kickedWith)
}

async function leaving ({ fresh, until }) {
  const [alice, bob] = [await fresh('alice'), await fresh('bob')]
  await until(() => seen(alice, 'bob'))
  const told = []
  alice._client.on('chat', ({ message }) => told.push(JSON.parse(message)))
  bob.quit()
  await until(() => !alice.players.bob)
  return { tab: Object.keys(alice.players), told: await until(() => told[0]) }
}

async function comeBack ({ fresh, give, join, until, agreed, move, admin }) {
  const alice = await fresh('alice')
  await give(alice, { oak_log: 3, wooden_pickaxe: 1 })
  await move(alice, 4.5, 64, 12.5)
  alice.quit()
  await until(async () => (await admin('players')).length === 0)
  const again = await join('alice')
  const { x, z } = again.entity.position
  return { owns: await agreed(again), x, z }
}

async function editsStay ({ fresh, until, admin }) {
  const alice = await fresh('alice')
  await admin('teleport', { player: 'alice', x: 200.5, y: 80, z: 200.5 })
  await until(() => alice.blockAt(alice.entity.position.offset(0, -20, 0)), 'the far chunk')
  await admin('setblock', { x: 200, y: 90, z: 200, block: 'gold_block' })
  alice.quit()
  await until(async () => (await admin('players')).length === 0)
  return await admin('block', { x: 200, y: 90, z: 200 })
}

async function farAway ({ fresh, until, admin }) {
  const alice = await fresh('alice')
  await admin('teleport', { player: 'alice', x: -300.5, y: 80, z: 300.5 })
  return await until(() => alice.entity.position.x < -300 && alice.entity.onGround)
}

/** How many chunks somebody has after each leg of a walk there and back. */
async function chunksOfAWalk ({ fresh, until }) {
  const alice = await fresh('alice')
  alice.physicsEnabled = false // the legs are one step each, high above the land
  const counts = []
  for (const [x, z] of [[48, 8], [48, 48], [8, 48], [8, 8]]) {
    const { position } = alice.entity
    position.set(x, 90, z)
    await until(() => { // the server heeds no step while it sends
      alice._client.write('position', { x, y: position.y++, z, onGround: true })
      return around(alice).every(([chunkX, chunkZ]) => alice.world.getColumn(chunkX, chunkZ))
    }, 'the land')
    counts.push(alice.world.getColumns().length)
  }
  return counts
}

/** Which chunks somebody is told of who comes into them with one long step each. */
async function chunksTold ({ fresh, until }) {
  const alice = await fresh('alice')
  alice.physicsEnabled = false
  alice._client.removeAllListeners('position') // who is put back at the end of the login says so by a step
  alice._client.on('position', ({ teleportId }) => alice._client.write('teleport_confirm', { teleportId }))
  const told = [alice.entity.position.x >> 4] // who was just put there may be told of that again
  alice._client.on('update_view_position', ({ chunkX }) => { if (told.at(-1) !== chunkX) told.push(chunkX) })
  const { y, z } = alice.entity.position
  for (const chunkX of [1, 2, 1, 0]) {
    await until(() => { // the server heeds no step while it sends
      alice._client.write('position', { x: 16 * chunkX + 8, y: y + Math.random() / 100, z, onGround: true })
      return told.at(-1) === chunkX
    }, 'the chunk')
  }
  return told.slice(1)
}

const VIEW = 4 // chunks, as the embedded server sends
function around ({ entity: { position } }) {
  const side = [...Array(2 * VIEW).keys()].map(number => number - VIEW)
  return side.flatMap(x => side.map(z => [(position.x >> 4) + x, (position.z >> 4) + z]))
}

/** Twenty who turn around at the door or just behind it, then two who want to meet. */
async function comingAndGoing ({ enter, fresh, until, admin }) {
  const visitors = Array.from({ length: 20 }, (_, i) => enter(`visitor${i}`))
  const turnBack = (bot, event) => bot._client.once(event, () => bot._client.socket.destroy())
  visitors.forEach((bot, i) => turnBack(bot, ['success', 'login', 'position', 'map_chunk'][i % 4]))
  await until(() => visitors.every(bot => bot.over), 'all turned back')
  const [alice, bob] = [await fresh('alice'), await fresh('bob')]
  await until(() => seen(alice, 'bob') && seen(bob, 'alice'))
  const players = await until(async () => {
    const names = (await admin('players')).map(({ name }) => name)
    return names.length === 2 && names
  })
  return { players, tab: Object.keys(alice.players).sort() }
}

module.exports = { chunksOfAWalk, chunksTold, comingAndGoing, two, ten, twice, standingStill, invalidName, leaving, comeBack, editsStay, farAway }
