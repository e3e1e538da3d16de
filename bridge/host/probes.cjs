'use strict'
// Operations for tests and measurements alone; loaded when TOWNSFOLK_HOST_PROBES=1.

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

module.exports = ({ bots, outbox }) => ({
  echo: (name, args) => args,
  echo_later: async (name, { ms, value }) => { await sleep(ms); return value },
  fail: (name, { text }) => { throw new Error(text) },
  fail_unheard: (name, { text }) => { setImmediate(() => { throw new Error(text) }) },
  reject_unheard: (name, { text }) => { Promise.reject(new Error(text)) },
  unspeakable: () => ({ big: 1n }),
  say_noise: (name, { text, lines }) => {
    for (let i = 0; i < lines; i++) {
      console.log(text)
      console.error(text)
      process.stdout.write(text)
      process.stderr.write(text)
      process.emitWarning(text + i)
    }
  },
  block: (name, { ms }) => { for (const end = Date.now() + ms; Date.now() < end;); },
  skip_push: () => { outbox.seq++ },
  memory: () => process.memoryUsage(),

  /** Call a function of another module with the bot: what a measurement brings along. */
  call_module: (name, { module, call, args }) => require(module)[call](bots.get(name), ...args),

  /** Emit `count` chat events in bursts, numbered in their text. */
  flood: (name, { count, burst, t = 'chat' }) => {
    let sent = 0
    const more = () => {
      for (const end = Math.min(count, sent + burst); sent < end; sent++) {
        const said = { from: 'Steve', text: String(sent), health: sent, food: 1 }
        outbox.emit({ t, bot: name, at: Date.now(), ...said })
      }
      if (sent < count) setImmediate(more)
    }
    more()
    return count
  },

  /** Emit events at an interval; `text` is the moment in ms of the machine's clock. */
  tick: (name, { count, ms }) => {
    let left = count
    const timer = setInterval(() => {
      const now = Number(process.hrtime.bigint()) / 1e6
      outbox.emit({ t: 'chat', bot: name, at: Date.now(), from: 'Steve', text: String(now) })
      if (--left <= 0) clearInterval(timer)
    }, ms)
  },

  /** Send a line as it is, commands too. */
  send_raw: (name, { text }) => bots.get(name)._client.chat(text),

  /** The connection fails as minecraft-protocol would tell it. */
  break_connection: (name, { text }) => { bots.get(name)._client.emit('error', new Error(text)) },

  throw_in_bot: (name, { text }) => {
    bots.get(name)._client.socket.once('data', () => { throw new Error(text) })
  },

  socket: name => {
    const { socket } = bots.get(name)._client
    return { is_paused: socket.isPaused(), waiting: outbox.waiting.get(name) ?? 0 }
  },

  count_by_block: (name, { reach }) => {
    const bot = bots.get(name)
    const centre = bot.entity.position.floored()
    const counts = {}
    for (let y = -reach; y <= reach; y++) {
      for (let z = -reach; z <= reach; z++) {
        for (let x = -reach; x <= reach; x++) {
          const found = bot.blockAt(centre.offset(x, y, z))?.name
          if (found && found !== 'air') counts[found] = (counts[found] ?? 0) + 1
        }
      }
    }
    return counts
  }
})
