/**
 * Modules that are loaded when they are first used. Loading node:fs takes 0.9 ms of a command that takes 6, because the
 * runtime starts a compiler thread for it; node:path takes 0.2 ms. The fastest commands need neither.
 */

export function nodeFs(): typeof import('node:fs') {
  return require('node:fs')
}

export function nodePath(): typeof import('node:path') {
  return require('node:path')
}
