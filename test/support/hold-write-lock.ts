import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stateFile } from './ledger-answers.ts'
import type { Repo } from './repo.ts'

/** Another process that holds the write lock of the index until the test releases it. */
export async function holdWriteLock(repo: Repo): Promise<{ release(): Promise<void> }> {
  const code = `
    const { Database } = require('bun:sqlite')
    const db = new Database(process.argv[1])
    db.run('BEGIN IMMEDIATE')
    console.log('held')
    process.stdin.on('end', () => { db.run('ROLLBACK'); process.exit(0) }).resume()`
  const holder = spawn(process.execPath, ['-e', code, stateFile(repo)], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return {
    release: async () => {
      holder.stdin.end()
      await once(holder, 'exit')
    },
  }
}
