'use strict'
// What the daemon is measured against: a Mineflayer bot that whispers every whisper back.
const { join } = require('./crowd.cjs')

join(process.argv[2]).then(bot => {
  bot.on('whisper', (username, message) => bot.whisper(username, message))
  console.log(JSON.stringify({ ready: true }))
}, fail)

function fail (error) {
  console.error(error.message)
  process.exit(1)
}

for (const event of ['end', 'close']) process.stdin.on(event, () => process.exit(0))
process.stdin.resume()
