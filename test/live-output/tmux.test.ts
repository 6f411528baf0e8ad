import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin } from '../support/built-program.ts'
import type { Repo } from '../support/repo.ts'
import { runProcess } from '../support/run-process.ts'
import { until } from '../support/until.ts'
import { withoutEndLines } from '../support/without-end.ts'
import { aGatedRepo, settled } from './gated-agent.ts'

// The same as on the terminal of our own tests, in one that people use: it reflows lines, and knows more than we need.
const folder = mkdtempSync(join(tmpdir(), 'gza-tmux-'))
const socket = join(folder, 'socket')

afterAll(() => {
  tmux('kill-server')
  rmSync(folder, { recursive: true, force: true })
})

function tmux(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' }
  return runProcess(['tmux', '-S', socket, '-f', '/dev/null', ...args], { env }).stdout
}

/** A program in a pane; its lines are those that scrolled away, too, as a narrower window makes them. */
function inTmux(repo: Repo, name: string, command: string): { lines(): string[] } {
  const env = Object.entries({ ...repo.env, GZA: bin('gza') }).flatMap(([key, value]) => ['-e', `${key}=${value}`])
  const shell = `printf '$ %s\\n' '${command}'; ${command.replace(/^gza/, '"$GZA"')}; echo "the end"; exec sleep 60`
  tmux('new-session', '-d', '-s', name, '-x', '80', '-y', '24', '-c', repo.dir, ...env, 'sh', '-c', shell)
  const lines = () => tmux('capture-pane', '-p', '-S', '-', '-t', name).trimEnd().split('\n')
  return { lines: () => lines().map((line) => settled(line.trimEnd())) }
}

if (Bun.which('tmux') !== null) {
  test('in tmux the lines of running tasks survive a narrower and a wider window', async () => {
    const repo = aGatedRepo(
      'echo "reading and writing quite a lot of files, one after the other, and so on"; gate; commit',
    )
    repo.gza('add', 'Write the parser')
    repo.gza('add', 'Write the lexer')
    const pane = inTmux(repo, 'work', 'gza work --all --workers 2')
    const head = ['Running task #1: Write the parser', 'Running task #2: Write the lexer']
    // Without what a person is told before the first task starts.
    const shown = () =>
      withoutEndLines(pane.lines().slice(pane.lines().findIndex((line) => line.startsWith('Running'))))
    const sizes = [
      ['80', /^#[12] {2}working {2}Ns {2}Write the (parser|lexer ) {2}reading and writing quite a lot of.*…$/],
      ['50', /^#[12] {2}working {2}Ns {2}Write the (pars…|parser|lexer ?) {2}reading and.{0,6}…$/],
      [
        '120',
        /^#[12] {2}working {2}Ns {2}Write the (parser|lexer ) {2}reading and writing quite a lot of files, one after the other, and so on$/,
      ],
    ] as const
    for (const [width, row] of sizes) {
      tmux('resize-window', '-t', 'work', '-x', width)
      await until(() => pane.lines().filter((line) => row.test(line)).length === 2)
      expect(shown().filter((line) => !row.test(line))).toEqual(head)
    }
    repo.openGate()
    await until(() => pane.lines().at(-1) === 'the end')
    expect(shown().slice(0, 2)).toEqual(head)
    expect(shown().slice(2).sort()).toEqual(['the end', '✓ Task #1 completed', '✓ Task #2 completed'])
  })

  test('in tmux watch shows itself on a screen of its own, and q brings back what was there', async () => {
    const repo = aGatedRepo('commit')
    repo.gza('add', 'Write the parser')
    const pane = inTmux(repo, 'watch', 'gza watch')
    await until(() => pane.lines().at(-1) === 'q quits')
    expect(pane.lines().slice(0, 10)).toEqual([
      'main: 0 in_progress, 1 ready, 0 blocked, 0 completed                    HH:MM:SS',
      '',
      'Running',
      '  nothing',
      '',
      'Needs you',
      '  nothing',
      '',
      'Queue',
      '  #1 Write the parser',
    ])
    tmux('resize-window', '-t', 'watch', '-x', '100', '-y', '30')
    await until(() => pane.lines().length === 30 && pane.lines()[0]?.length === 100)
    tmux('send-keys', '-t', 'watch', 'q')
    await until(() => pane.lines().at(-1) === 'the end')
    expect(pane.lines()).toEqual(['$ gza watch', 'the end'])
    expect(tmux('display-message', '-p', '-t', 'watch', '#{cursor_flag} #{alternate_on} #{wrap_flag}')).toBe('1 0 1\n')
  })
}
