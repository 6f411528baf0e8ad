import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { noteTask } from '../../src/tasks/note-task.ts'
import { readLedger } from '../../src/workspace/ledger/read-ledger.ts'
import { useWorkspace } from '../../src/workspace/workspace.ts'
import { holdWriteLock } from '../support/hold-write-lock.ts'
import { stateFile } from '../support/ledger-answers.ts'
import { add, aStartedRepo, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

test('a command that read from a copy of the busy index writes through the index on disk, where all writers queue', async () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const first = tipOf(repo)
  add(repo, 'two')
  repo.git('update-ref', 'refs/tasks/main', first)
  const { release } = await holdWriteLock(repo)
  await useWorkspace({ cwd: repo.dir, env: repo.env }, async (ws) => {
    const onDisk = ws.state
    readLedger(ws)
    expect(ws.state).not.toBe(onDisk)
    await release()
    noteTask(ws, '1', 'a note')
    expect(ws.state).toBe(onDisk)
  })
  expect(tipOnDisk(repo)).toBe(tipOf(repo))
})

function tipOnDisk(repo: Repo): unknown {
  const index = new Database(stateFile(repo), { readonly: true })
  const row = index.query('SELECT tip FROM ledgers').get() as { tip: string }
  index.close()
  return row.tip
}
