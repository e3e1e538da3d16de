// @ts-check
// The WebSocket: everything as it happens. It connects again by itself and goes on where it was.

/** @typedef {{sequence: number, at: string, name: string, bot: string | null, skipped: number} & Record<string, any>} TraceEvent */

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 10_000

/**
 * @param {{
 *   event: (event: TraceEvent) => void,
 *   positions: (positions: any) => void,
 *   connected: (isConnected: boolean) => void
 * }} told
 */
export function follow (told) {
  let last = 0
  let wait = FIRST_WAIT_MS
  connect()

  function connect () {
    const address = new URL(`/ws?last=${last}&positions=1&batch=1`, location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(address)
    socket.onopen = () => {
      wait = FIRST_WAIT_MS
      told.connected(true)
    }
    socket.onmessage = ({ data }) => take(JSON.parse(data))
    socket.onclose = () => {
      told.connected(false)
      setTimeout(connect, wait)
      wait = Math.min(2 * wait, LONGEST_WAIT_MS)
    }
  }

  /** @param {any} message */
  function take (message) {
    if (message.name === 'positions') return told.positions(message)
    if (!Array.isArray(message)) return
    for (const event of message) {
      if (!last) event.skipped = 0 // it was before this page was opened
      last = event.sequence
      told.event(event)
    }
  }
}
