import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configJsonSchema } from '../src/workspace/config/config-schema.ts'

/** Writes the published schema of gza.yaml: `scripts/bun scripts/make-schema.ts`, after a change to its keys. */
writeFileSync(join(dirname(import.meta.dir), 'docs/gza.schema.json'), configJsonSchema())
