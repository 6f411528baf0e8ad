import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'

/** Reads the task files of a commit, parses their lines and puts each into an empty table: nothing else. */
const [commit = '', path = ''] = process.argv.slice(2)

function git(args: string[], input = ''): Buffer {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { stdin: Buffer.from(input), stdout: 'pipe' })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

const blobs = git(['ls-tree', '-r', '-z', commit])
  .toString()
  .split('\0')
  .flatMap((row) => (row.endsWith('.jsonl') ? [row.slice(0, row.indexOf('\t')).split(' ')[2] ?? ''] : []))
const output = git(['cat-file', '--batch'], `${blobs.join('\n')}\n`)
rmSync(path, { force: true })
const db = new Database(path, { create: true, strict: true })
db.run('PRAGMA journal_mode = OFF')
db.run('PRAGMA synchronous = OFF')
db.run('CREATE TABLE tasks (uid TEXT, number INTEGER, status TEXT, created_at TEXT, content TEXT, line TEXT)')
const insert = db.query('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?)')
db.run('BEGIN')
let at = 0
for (const _ of blobs) {
  const end = output.indexOf(10, at)
  const size = Number(output.toString('latin1', at, end).split(' ')[2])
  for (const line of output.toString('utf8', end + 1, end + 1 + size).split('\n')) {
    if (line === '') continue
    const { uid, number, status, created_at, content } = JSON.parse(line)
    insert.run(uid, number, status, created_at, content, line)
  }
  at = end + 1 + size + 1
}
db.run('COMMIT')
db.close()
process.exit(0)
