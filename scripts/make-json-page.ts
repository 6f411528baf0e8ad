import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePage } from '../test/json/make-page.ts'

/** Writes the page about --json: `scripts/bun scripts/make-json-page.ts`, after a change of an output or an error. */
writeFileSync(join(dirname(import.meta.dir), 'docs/json.md'), makePage())
