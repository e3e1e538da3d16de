'use strict'
// `townsfolk login`: signs an account in and ends. One JSON object a line on stdout: {t: "code"},
// then {t: "done"} or {t: "failed"}; what packages print is dropped, since it may hold tokens.
//
//   node login.cjs FILE      FILE takes the tokens
const { Console } = require('node:console')
const fs = require('node:fs')
const { Writable } = require('node:stream')

globalThis.console = new Console(new Writable({ write: (chunk, encoding, done) => done() }))

const { signIn } = require('./accounts.cjs')

signIn(process.argv[2], code => tell({ t: 'code', ...code }))
  .then(name => tell({ t: 'done', name }))
  .catch(({ message, data = {} }) => tell({ t: 'failed', text: message, key: data.key ?? '' }))
  .finally(() => process.exit(0))

function tell (message) {
  fs.writeSync(1, JSON.stringify(message) + '\n')
}
