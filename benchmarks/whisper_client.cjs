'use strict'
// A client that whispers to several echoes in turn and measures each way there and back. Each
// line on stdin is {targets, warm_up, ms}; the answer is {name: [milliseconds, ...], ...}.
const readline = require('node:readline')
const { join } = require('./crowd.cjs')

const ANSWER_MS = 5000 // until an echo is given up

/** The milliseconds from writing one whisper until its echo was read. */
function roundTrip (bot, target, text) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${target} did not echo`)), ANSWER_MS)
    const began = process.hrtime.bigint()
    const onLine = ({ formattedMessage }) => {
      const took = Number(process.hrtime.bigint() - began) / 1e6
      const { translate, with: parts } = JSON.parse(formattedMessage)
      if (translate !== 'commands.message.display.incoming') return
      if (parts[0].text !== target || parts[1].text !== text) return
      clearTimeout(late)
      bot._client.removeListener('systemChat', onLine)
      resolve(took)
    }
    bot._client.on('systemChat', onLine)
    bot._client.chat(`/tell ${target} ${text}`)
  })
}

async function measure (bot, { targets, warm_up: warmUp, ms }) {
  const took = Object.fromEntries(targets.map(target => [target, []]))
  let until = Infinity
  for (let round = 0; Date.now() < until; round++) {
    if (round === warmUp) until = Date.now() + ms
    for (const target of targets) {
      const one = await roundTrip(bot, target, `hello number ${round}`)
      if (round >= warmUp) took[target].push(one)
    }
  }
  return took
}

async function main () {
  const bot = await join(process.argv[2])
  console.log(JSON.stringify({ ready: true }))
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await measure(bot, JSON.parse(line))))
  }
  process.exit(0)
}

main().catch(error => {
  console.error(error.message)
  process.exit(1)
})
