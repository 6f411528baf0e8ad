import { afterAll } from 'bun:test'
import { removeRepos } from './repo.ts'

// Preloaded (bunfig.toml), because a hook in repo.ts itself would cover only the first file that imports it when files
// share a process.
afterAll(removeRepos)
