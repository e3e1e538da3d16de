'use strict'
// An imitation of what an account is signed in with: Microsoft's device code, Xbox Live, Minecraft
// services, and Mojang's session server. It takes and gives out tokens of its own.
//
//   node microsoft.cjs '{"profile": "Alice"}'      one JSON object a line on stdout
const crypto = require('node:crypto')
const http = require('node:http')

const DAY_MS = 86_400_000
const UUID = '0d9f1f0a5c2b4e7f8a1b2c3d4e5f6071'

// refuses: the number of an Xbox error; isOver: refreshing a sign-in fails; pending: how often
// whoever signs in is waited for; ownsNothing: no Minecraft
const config = { profile: 'Alice', pending: 1, ...JSON.parse(process.argv[2]) }
const mojang = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
const joined = new Map() // the server's hash -> who joined there
let left = config.pending

const routes = {
  'login.live.com/oauth20_connect.srf': () => ({
    user_code: 'ABCD-EFGH',
    device_code: 'device',
    verification_uri: 'https://www.microsoft.com/link',
    interval: 0.02,
    expires_in: 900
  }),
  'login.live.com/oauth20_token.srf': body => {
    if (body.includes('grant_type=refresh_token') && config.isOver) return [400, { error: 'invalid_grant' }]
    if (body.includes('device_code') && left-- > 0) return { error: 'authorization_pending' }
    return { access_token: 'ms-secret', refresh_token: 'ms-refresh-secret', expires_in: 3600 }
  },
  'user.auth.xboxlive.com/user/authenticate': () => xbox('user-secret'),
  'device.auth.xboxlive.com/device/authenticate': () => xbox('device-secret'),
  'title.auth.xboxlive.com/title/authenticate': () => xbox('title-secret'),
  'xsts.auth.xboxlive.com/xsts/authorize': () => config.refuses
    ? [401, { XErr: config.refuses }]
    : { ...xbox('xsts-secret'), DisplayClaims: { xui: [{ xid: '1', uhs: 'hash' }] } },
  'api.minecraftservices.com/authentication/login_with_xbox': () => (
    { access_token: 'mc-secret', expires_in: config.isShort ? 0 : 86_400 }),
  'api.minecraftservices.com/minecraft/profile': () => config.ownsNothing
    ? [404, { error: 'NOT_FOUND' }]
    : { id: UUID, name: config.profile },
  'api.minecraftservices.com/player/certificates': certificates,
  'sessionserver.mojang.com/session/minecraft/join': body => {
    const { accessToken, selectedProfile, serverId } = JSON.parse(body)
    if (accessToken !== 'mc-secret' || selectedProfile !== UUID) return [403, { error: 'ForbiddenOperationException' }]
    joined.set(serverId, config.profile)
    return [204, '']
  },
  'sessionserver.mojang.com/session/minecraft/hasJoined': (body, asked) => {
    const name = joined.get(asked.get('serverId'))
    return name && name === asked.get('username') ? { id: UUID, name } : [204, '']
  }
}

http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://microsoft')
  const chunks = []
  request.on('data', chunk => chunks.push(chunk)).on('end', () => {
    tell({ t: 'asked', path: pathname.slice(1) })
    const made = (routes[pathname.slice(1)] ?? (() => [404, {}]))(String(Buffer.concat(chunks)), searchParams)
    const [status, body] = Array.isArray(made) ? made : [200, made]
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(body === '' ? undefined : JSON.stringify(body))
  })
}).listen(0, '127.0.0.1', function () {
  tell({ t: 'listening', port: this.address().port, mojangKey: pem(mojang.publicKey) })
})
process.stdin.on('end', () => process.exit(0)).resume()

function xbox (token) {
  return { Token: token, NotAfter: new Date(Date.now() + DAY_MS).toISOString() }
}

// The keys that sign chat, which Mojang has signed: for the player, and up to 1.19 for anybody.
function certificates () {
  const keys = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
  const expires = Date.now() + DAY_MS
  const until = Buffer.alloc(8)
  until.writeBigInt64BE(BigInt(expires))
  const der = keys.publicKey.export({ type: 'spki', format: 'der' })
  const signed = bytes => crypto.sign('RSA-SHA1', bytes, mojang.privateKey).toString('base64')
  return {
    keyPair: {
      publicKey: pem(keys.publicKey),
      privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).trim()
    },
    publicKeySignature: signed(Buffer.from(expires + oldPem(der))),
    publicKeySignatureV2: signed(Buffer.concat([Buffer.from(UUID, 'hex'), until, der])),
    expiresAt: new Date(expires).toISOString(),
    refreshedAfter: new Date(expires).toISOString()
  }
}

// As 1.19 writes a key before it is signed.
function oldPem (der) {
  const lines = der.toString('base64').match(/.{1,76}/g).join('\n')
  return `-----BEGIN RSA PUBLIC KEY-----\n${lines}\n-----END RSA PUBLIC KEY-----\n`
}

function pem (key) {
  return key.export({ type: 'spki', format: 'pem' }).trim()
}

function tell (message) {
  process.stdout.write(JSON.stringify(message) + '\n')
}
