// @ts-check
// Asks the daemon. The browser's cookie shows that it may.

/** @typedef {{success?: boolean, reason?: string, message?: string} & Record<string, any>} Answer */

/**
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export function get (path) {
  return ask(path, {})
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 * @returns {Promise<Answer>}
 */
export function post (path, body = {}) {
  const headers = { 'Content-Type': 'application/json' }
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/**
 * A picture, always a new one; null when there is none.
 * @param {string} path
 */
export async function image (path) {
  try {
    const response = await fetch(path)
    return response.ok ? await response.blob() : null
  } catch {
    return null
  }
}

/**
 * The address of something of a bot.
 * @param {string} bot
 * @param {string} what
 */
export function of (bot, what) {
  return `/api/bots/${encodeURIComponent(bot)}/${what}`
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Answer>}
 */
async function ask (path, options) {
  try {
    const response = await fetch(path, options)
    return await response.json()
  } catch (error) {
    return { success: false, reason: 'unreachable', message: String(error) }
  }
}
