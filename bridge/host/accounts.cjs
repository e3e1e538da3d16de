'use strict'
// Microsoft accounts: signing in with a code once, and joining servers with what that left behind.
const fs = require('node:fs')
const { load } = require('./packages.cjs')
const { Refusal } = require('./refusal.cjs')

const SIGN_IN_MS = 15_000 // below the deadline of a spawn, so that the reason is told
const WORDS_CHARS = 300
const GAME = { flow: 'live', deviceType: 'Nintendo' } // no application of one's own is needed

// prismarine-auth tries again after every error but this kind.
class SignInNeeded extends URIError {}

/** All tokens of an account in one file that its owner alone can read. */
class TokenFile {
  constructor (path) {
    this.path = path
    this.parts = this.read()
  }

  get isEmpty () {
    return !this.parts.live?.token
  }

  /** The cache prismarine-auth wants for each kind of token. */
  part = ({ cacheName }) => ({
    reset: async () => this.keep(cacheName, {}),
    getCached: async () => this.parts[cacheName] ?? {},
    setCached: async tokens => this.keep(cacheName, tokens),
    setCachedPartial: async tokens => this.keep(cacheName, { ...this.parts[cacheName], ...tokens })
  })

  read () {
    try {
      return JSON.parse(fs.readFileSync(this.path, 'utf8'))
    } catch {
      return {}
    }
  }

  keep (name, tokens) {
    this.parts[name] = tokens
    const fresh = `${this.path}.${process.pid}`
    fs.writeFileSync(fresh, JSON.stringify(this.parts), { mode: 0o600 })
    fs.renameSync(fresh, this.path)
    return tokens
  }
}

/** Sign in anew: `onCode({uri, code, seconds})` is told where to type what. Resolves to the name
 *  in the game. */
async function signIn (path, onCode) {
  const file = new TokenFile(path)
  const told = answer => onCode({
    uri: answer.verification_uri,
    code: answer.user_code,
    seconds: answer.expires_in
  })
  const { profile } = await answered(() => tokens(file, told))
  return profile.name
}

/** What a bot joins with: `auth` of mineflayer's createBot. */
async function account (path, bot) {
  const file = new TokenFile(path)
  if (file.isEmpty) throw refused('account_needed', '')
  const needed = () => { throw new SignInNeeded('its sign-in has expired') }
  const found = await answered(() => Promise.race([tokens(file, needed), late()]))
  if (found.profile.name !== bot) throw refused('account_other', found.profile.name)
  return (client, options) => join(client, options, found)
}

async function tokens (file, onCode) {
  const { Authflow, Titles } = load('prismarine-auth')
  const options = { ...GAME, authTitle: Titles.MinecraftNintendoSwitch }
  const flow = new Authflow('', file.part, options, onCode)
  const found = await flow.getMinecraftJavaToken({ fetchProfile: true, fetchCertificates: true })
  if (!found.profile?.name) throw refused('account_refused', 'it owns no Minecraft: Java Edition')
  return found
}

function late () {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(refused('account_unreachable', 'no answer')), SIGN_IN_MS)
    timer.unref()
  })
}

function join (client, options, { token, profile, certificates }) {
  Object.assign(client, certificates) // the keys that sign chat; none when Mojang gave none
  client.session = { accessToken: token, selectedProfile: profile, availableProfile: [profile] }
  client.username = profile.name
  Object.assign(options, { accessToken: token, haveCredentials: true })
  client.emit('session', client.session)
  options.connect(client)
}

async function answered (ask) {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof SignInNeeded) throw refused('account_needed', error.message)
    const { cause } = error // of a fetch that got no answer
    if (cause) throw refused('account_unreachable', cause.code ?? cause.message)
    throw refused('account_refused', error.message.slice(0, WORDS_CHARS))
  }
}

function refused (key, text) {
  return new Refusal('spawn_failed', text, { ending: 'error', text, key })
}

module.exports = { account, signIn }
