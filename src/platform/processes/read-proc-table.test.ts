import { expect, test } from 'bun:test'
import { livesFor } from './read-proc-table.ts'

if (process.platform === 'linux')
  test('a process is known by its name and by how long it has lived', () => {
    const one = Bun.spawn(['sh', '-c', 'echo x; read line'], { stdin: 'pipe', stdout: 'pipe' })
    const name = /^sh$/
    expect(livesFor(0, name)).toBe(true)
    // This machine has been up for less.
    expect(livesFor(100 * 365 * 86_400, name)).toBe(false)
    expect(livesFor(0, /^no-program-has-it$/)).toBe(false)
    one.kill('SIGKILL')
  })
