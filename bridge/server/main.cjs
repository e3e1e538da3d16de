'use strict'
// The embedded server's process: one JSON argument (settings.cjs), one line on stdout that says
// ready or why not, then the admin protocol (admin.cjs) on stdin and stdout until stdin closes or
// a signal comes.

const { input, tell } = require('./terminal.cjs')

try {
  require('./process.cjs')(process.argv[2], input, tell)
} catch (error) {
  tell({ ready: false, code: error.code, message: error.message.split('\n')[0] })
  process.exit(1)
}
