import { describe, expect, test } from 'bun:test'
import { isHere, TOOLS } from '../../scripts/install-tools.ts'
import { aGatedRepo } from '../live-output/gated-agent.ts'
import { until } from '../support/until.ts'

/** Three tasks with a run, of which one has landed, and one without. */
const repo = aGatedRepo('commit')
for (const title of ['Write the parser', 'Write: the "lexer" \\ $HOME', 'Land at once', 'Never run'])
  repo.gza('add', title)
repo.gza('work', '1', '2', '3')
repo.gza('merge', '3')
const ids = (JSON.parse(repo.gza('list', '--all', '--json').stdout) as { id: string }[]).map(({ id }) => id)
const [parser = '', lexer = '', landed = '', never = ''] = ids

/** A shell on a terminal of its own. The texts that it writes have no colours and no movements of the cursor. */
async function aShell(argv: string[], setup: string) {
  let written = ''
  const decoder = new TextDecoder()
  const data = (_: unknown, bytes: Uint8Array) => {
    written += decoder.decode(bytes, { stream: true })
  }
  const env = { ...repo.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' }
  const child = Bun.spawn(argv, { cwd: repo.dir, env, terminal: { cols: 120, rows: 40, data } })
  const text = () => Bun.stripANSI(written)
  const type = (keys: string) => child.terminal?.write(keys)
  type(`${setup}; echo RE""ADY\n`)
  await until(() => /^READY/m.test(text()))
  return {
    /** What is shown after these keys, as soon as it has all of this. */
    async shownAfter(keys: string, ...expected: string[]): Promise<string> {
      const before = text().length
      type(keys)
      await until(() => expected.every((part) => text().slice(before).includes(part)))
      return text().slice(before)
    },
    async end(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

describe.if(isHere(TOOLS.zsh))('zsh', () => {
  const setup = 'autoload -Uz compinit; compinit -u -D; eval "$(gza completion zsh)"'

  test('shows the tasks that fit the command, with their titles', async () => {
    const shell = await aShell(['zsh', '-f', '-i'], setup)
    const merge = await shell.shownAfter(
      'gza merge \t\t',
      parser,
      'Write the parser',
      lexer,
      'Write: the "lexer" \\ $HOME',
    )
    expect(merge).not.toContain(landed)
    expect(merge).not.toContain(never)
    const logs = await shell.shownAfter('\x15gza logs \t\t', parser, lexer, landed, 'Land at once')
    expect(logs).not.toContain(never)
    const git = await shell.shownAfter('\x15git tasks show \t\t', parser, lexer, landed, never, 'Never run')
    expect(git).toContain('Write the parser')
    await shell.end()
  })

  test('completes a command, a word of a flag and the only task that fits', async () => {
    const shell = await aShell(['zsh', '-f', '-i'], setup)
    await shell.shownAfter('gza compl\t', 'gza completion ')
    await shell.shownAfter('\x15gza list --status=ski\t', '--status=skipped')
    await shell.shownAfter('\x15gza done task-\t', never)
    await shell.end()
  })
})

describe.if(isHere(TOOLS.fish))('fish', () => {
  const proposed = (line: string): string[] => {
    const script = `gza completion fish | source; complete -C '${line}'`
    return repo.run(['fish', '--no-config', '-c', script]).stdout.trimEnd().split('\n')
  }

  test('proposes the tasks that fit the command, with their titles', () => {
    const [first, second] = [`${parser}\tWrite the parser`, `${lexer}\tWrite: the "lexer" \\ $HOME`]
    expect(proposed('gza merge ').toSorted()).toEqual([first, second].toSorted())
    expect(proposed('gza logs ').toSorted()).toEqual([first, second, `${landed}\tLand at once`].toSorted())
    expect(proposed('git tasks done ')).toEqual([`${never}\tNever run`])
    expect(proposed('gza merge 1')).toEqual(['1\tWrite the parser'])
  })

  test('proposes commands, flags and their words', () => {
    expect(proposed('gza compl').map((line) => line.split('\t')[0])).toEqual(['completion'])
    expect(proposed('gza list --status=ski').map((line) => line.split('\t')[0])).toEqual(['--status=skipped'])
    expect(proposed('git tas').map((line) => line.split('\t')[0])).toContain('tasks')
  })
})

describe('bash', () => {
  test('shows the tasks that fit the command', async () => {
    const shell = await aShell(['bash', '--norc', '--noprofile', '-i'], 'eval "$(gza completion bash)"')
    // The first completes what all have in common, the second rings the bell.
    const merge = await shell.shownAfter('gza merge \t\t\t', parser, lexer)
    expect(merge).not.toContain(landed)
    expect(merge).not.toContain(never)
    await shell.shownAfter('\x15gza logs \t\t\t', parser, lexer, landed)
    await shell.shownAfter('\x15gza done task-\t', never)
    await shell.end()
  })
})
