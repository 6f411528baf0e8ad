import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { keeps } from '../../../src/core/isolation/promises.ts'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

if (LEVELS.includes('landlock'))
  test('where no box can be made, required refuses and says why, and auto says what holds agents', () => {
    const required = anIsolatedRepo('landlock', {}, { isolation: 'required' })
    required.add('One')
    const refused = required.work('1')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('isolation is required, but this machine can make no box (bubblewrap: ')
    expect(required.task('1').runs).toEqual([])
    const auto = anIsolatedRepo('landlock', {})
    auto.add('One')
    const { stdout, stderr } = auto.work('1')
    const said = 'isolation: auto is set, but this machine can make no box: Landlock holds agents (gza doctor)'
    expect(stdout + stderr).toContain(said)
  })

test("an agent's program in the person's checkout or in /tmp is found in its box, and nothing beside it", () => {
  const repo = anAgentRepo({})
  repo.write('../home/.config/gza/config.yaml', 'isolation: auto\n')
  const folder = mkdtempSync('/tmp/gza-program-')
  const program = (place: string): string => join(place, 'tools/agent.sh')
  const text = `#!/bin/sh\nfound=$(ls "$(dirname "$0")" "$(dirname "$0")/.." ${folder} 2>&1)\necho "$found" >seen.txt\n`
  for (const place of [folder, repo.dir]) {
    mkdirSync(join(place, 'tools'), { recursive: true })
    writeFileSync(program(place), text, { mode: 0o755 })
    writeFileSync(join(place, 'tools/secret.txt'), 'secret')
  }
  const agents = { own: { command: `sh ${program(repo.dir)} "a b"` }, other: { command: program(folder) } }
  repo.write('gza.yaml', `agents: ${JSON.stringify(agents)}\n`)
  repo.git('add', 'gza.yaml')
  repo.git('commit', '--quiet', '--message', 'configure')
  for (const agent of Object.keys(agents)) {
    const number = repo.add(agent)
    const { code, stdout, stderr } = repo.gza('work', number, '--agent', agent, '--no-base-check')
    expect(code, stdout + stderr).toBe(0)
    const seen = repo.git('show', `${repo.task(number).branch}:seen.txt`)
    expect(seen).toContain('agent.sh')
    expect(seen).not.toContain('secret.txt')
  }
  rmSync(folder, { recursive: true })
})

for (const level of LEVELS) {
  test(`${level}: gza show says what held the run`, () => {
    const repo = anIsolatedRepo(level, {})
    repo.add('One')
    expect(repo.work('1').code).toBe(0)
    expect(repo.gza('show', '1').stdout).toContain(`isolation: ${level}`)
  })

  test(`${level}: strict makes the home folder read-only, except for what clients need`, () => {
    const act = 'touch "$HOME/.cache/x" "$HOME/.codex/x" "$HOME/.qwen/x"; touch "$HOME/planted"; commit a.txt a'
    const repo = anIsolatedRepo(level, { else: act }, { isolation: 'strict' })
    repo.run(['mkdir', `${repo.env.HOME}/.qwen`])
    // The folders of the client that runs are made: it could not do that itself.
    symlinkSync(repo.beside('agent'), repo.beside('codex'))
    const agents = { scripted: { command: repo.beside('codex') } }
    repo.commit('Use codex', { 'gza.yaml': JSON.stringify({ defaults: { agent: 'scripted' }, agents }) })
    repo.add('One')
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    const written = ['.cache/x', '.codex/x', '.qwen/x', 'planted', '.gemini']
    expect(written.filter((path) => existsSync(`${repo.env.HOME}/${path}`))).toEqual([
      '.cache/x',
      '.codex/x',
      '.qwen/x',
    ])
  })

  // Landlock changes no number, and the machine that has only Landlock is one where this test has another.
  if (isBox(level))
    test(`${level}: the agent has the name and the home folder of the person, also if that is root`, () => {
      const repo = anIsolatedRepo(level, { else: 'getent passwd "$(id -u)" >"$beside/account"; commit a.txt a' })
      repo.add('One')
      expect(repo.work('1').code).toBe(0)
      const named = (line: string): string[] => line.split(':').filter((_, at) => at === 0 || at === 5)
      const outside = repo.run(['getent', 'passwd', String(process.getuid?.())]).stdout
      expect(named(readFileSync(repo.beside('account'), 'utf8'))).toEqual(named(outside))
    })

  test(`${level}: three workers at once, each in a box of its own`, () => {
    const meet = `echo working; save "$title.md" draft; touch "$beside/at-$title"; until [ -e "$beside/at-A" ] && [ -e "$beside/at-B" ] && [ -e "$beside/at-C" ]; do sleep 0.02; done
find "$HOME/.local/state/gza" -name "*.md" >"$beside/seen-$title" 2>&1; rm "$title.md"; commit "$title.txt" "$title"`
    const repo = anIsolatedRepo(level, { else: meet })
    for (const title of ['A', 'B', 'C']) repo.add(title)
    const { code, stdout, stderr } = repo.work('--all', '--workers', '3')
    expect(code, stdout + stderr).toBe(0)
    for (const [number, title] of [
      ['1', 'A'],
      ['2', 'B'],
      ['3', 'C'],
    ] as const) {
      const { branch, runs } = repo.task(number)
      expect(runs).toMatchObject([{ outcome: 'completed' }])
      expect(repo.git('diff', '--name-only', `main...${branch}`)).toBe(`${title}.txt`)
      const others = ['A', 'B', 'C'].filter((other) => other !== title)
      for (const other of keeps(level, 'hides') ? others : [])
        expect(readFileSync(repo.beside(`seen-${title}`), 'utf8')).not.toContain(`${other}.md`)
    }
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })

  test(`${level}: a phase that reaches its time limit is ended, and its work is kept`, () => {
    const repo = anIsolatedRepo(
      level,
      { else: 'commit a.txt a; save left.txt left; forever' },
      { defaults: { timeout_minutes: 0.1, max_attempts: 1 } },
    )
    repo.add('Slow')
    repo.work('1')
    const { runs, branch } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'failed', reason: 'timed-out' }])
    expect(repo.git('diff', '--name-only', `main...${branch}`)).toBe('a.txt\nleft.txt')
    expectNothingLeft(repo)
  })
}
