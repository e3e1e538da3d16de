'use strict'
// Chat, whispers, selectors, kicks for what was said.

/** Everything a client was told, as the JSON of the packet. */
function record (bot) {
  const heard = []
  bot._client.on('chat', ({ message, position, sender }) => {
    heard.push({ ...JSON.parse(message), position, sender })
  })
  return heard
}

const whispers = heard => heard.filter(({ translate }) => translate?.startsWith('commands.message'))
const texts = heard => whispers(heard).map(message => message.with[1].text)

async function whisper ({ join, once, until }) {
  const [alice, bob] = [await join('alice'), await join('bob')]
  const [toAlice, toBob] = [record(alice), record(bob)]
  const said = once(bob, 'whisper')
  alice.whisper('bob', 'psst 秘密 🦆 R&D 100%')
  const [from, text] = await said
  await until(() => whispers(toAlice).length)
  return { from, text, sent: whispers(toAlice), got: whispers(toBob), ids: [alice.player.uuid, bob.player.uuid] }
}

async function selectors ({ join, move, until, admin }) {
  const [alice, bob, carol] = [await join('alice'), await join('bob'), await join('carol')]
  await move(alice, 4.5, 64, 4.5)
  await move(bob, 8.5, 64, 4.5)
  await move(carol, 30.5, 66, 4.5)
  const heard = [alice, bob, carol].map(record)
  const lines = {
    near: '/tell @a[distance=..15] near',
    named: '/msg @a[name=carol] named',
    limited: '/w @a[limit=1,name=!alice] limited',
    self: '/tell @s self',
    nearest: '/tell @p nearest',
    someone: '/tell @r someone',
    nobody: '/tell nobody x'
  }
  for (const line of Object.values(lines)) alice.chat(line)
  await until(() => heard[0].some(({ extra }) => extra?.[0].translate === 'argument.entity.notfound.player'))
  alice.chat('over') // reaches everybody after all the others
  await until(() => heard.every(list => list.some(({ translate }) => translate === 'chat.type.text')))
  const got = heard.map(list => list.filter(({ translate }) => translate === 'commands.message.display.incoming'))
  return { alice: texts(got[0]), bob: texts(got[1]), carol: texts(got[2]) }
}

async function publicChat ({ join, until }) {
  const [alice, bob] = [await join('alice'), await join('bob')]
  const heard = record(bob)
  alice.chat('hello   みんな & R&D')
  return await until(() => heard.find(({ translate }) => translate === 'chat.type.text'))
}

async function illegal ({ join, until }) {
  const alice = await join('alice')
  alice._client.write('chat', { message: 'colour \u00a7a' })
  return await until(() => alice.kickedWith)
}

async function tooLong ({ join, until }) {
  const alice = await join('alice')
  alice._client.write('chat', { message: 'x'.repeat(257) })
  return await until(() => alice.kickedWith)
}

function burst (bot, count) {
  for (let i = 1; i <= count; i++) bot._client.write('chat', { message: `line ${i}` })
}

const lines = heard => heard.filter(({ translate }) => translate === 'chat.type.text').length

async function spamChecked ({ join, until }) {
  const [listener, checked] = [await join('alice'), await join('Checked')]
  const heard = record(listener)
  burst(checked, 12)
  const kicked = await until(() => checked.kickedWith)
  await until(() => lines(heard) >= 11) // its own kick may reach a player before others' lines
  return { kicked, delivered: lines(heard) }
}

async function spamBelow ({ join, until }) {
  const [listener, checked] = [await join('alice'), await join('Checked')]
  const heard = record(listener)
  burst(checked, 10)
  await until(() => lines(heard) === 10)
  return { kicked: checked.kickedWith, delivered: lines(heard) }
}

async function spamExempt ({ join, until }) {
  const [listener, free] = [await join('alice'), await join('Free')]
  const heard = record(listener)
  burst(free, 60)
  await until(() => lines(heard) === 60)
  return { kicked: free.kickedWith, delivered: lines(heard) }
}

async function operators ({ join, admin }) {
  await Promise.all([join('alice'), join('Checked')])
  const players = await admin('players')
  return Object.fromEntries(players.map(({ name, operator }) => [name, operator]))
}

module.exports = {
  operators, whisper, selectors, publicChat, illegal, tooLong, spamChecked, spamBelow, spamExempt
}
