'use strict'
// Loaded before a Node program (NODE_OPTIONS=--require): what it asks of Microsoft and Mojang goes
// to their imitation on loopback, whose address is NODE_TEST_MICROSOFT; no other host is reached.
const http = require('node:http')
const https = require('node:https')

const base = new URL(process.env.NODE_TEST_MICROSOFT)
const ask = globalThis.fetch

globalThis.fetch = (address, options) => {
  const { host, pathname, search } = new URL(address)
  return ask(`${base.origin}/${host}${pathname}${search}`, options)
}

https.request = ({ hostname, path, method, headers }, ...rest) => http.request(
  { hostname: base.hostname, port: base.port, path: `/${hostname}${path}`, method, headers },
  ...rest
)
