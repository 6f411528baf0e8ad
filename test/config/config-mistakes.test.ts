import { describe, expect, test } from 'bun:test'
import { aConfiguredRepo } from './configured-repo.ts'

/** The message and the hint, or what was printed where nothing is wrong. */
function complaint(files: Parameters<typeof aConfiguredRepo>[0]): string[] {
  const { code, stdout, stderr } = aConfiguredRepo(files).gza('config', 'defaults.agent')
  expect(code).toBe(1)
  expect(stdout).toBe('')
  return stderr.trimEnd().split('\n  ')
}

describe('an unknown key is named with line, column and the nearest known one', () => {
  test.each([
    ['defaults:\n  modle: x\n', '2:3: unknown key defaults.modle', 'Did you mean defaults.model?'],
    ['defaults: { timeout: 3 }\n', '1:13: unknown key defaults.timeout', 'Did you mean defaults.timeout_minutes?'],
    ['\nmodel: opus\n', '2:1: unknown key model', 'Did you mean defaults.model?'],
    ['agent: codex\n', '1:1: unknown key agent', 'Did you mean defaults.agent?'],
    ['task_types:\n  implment:\n', '2:3: unknown key task_types.implment', 'Did you mean task_types.implement?'],
    [
      'agents:\n  aider:\n    command: aider\n    comand: x\n',
      '4:5: unknown key agents.aider.comand',
      'Did you mean agents.aider.command?',
    ],
    [
      'verify:\n  colour: x\n',
      '2:3: unknown key verify.colour',
      'Known here: command, test_command, timeout_minutes, locks, network.',
    ],
    ['__proto__: { model: x }\n', '1:1: unknown key __proto__', 'Known here: ledger, land, land_batch,'],
    ['verify: { a: 1 }\ndefauls: { b: 2 }\n', '1:11: unknown key verify.a', 'Known here: command,'],
  ])('%j', (yaml, message, hint) => {
    const [said, next] = complaint({ yaml })
    expect(said).toBe(`Error: gza.yaml:${message}`)
    expect(next).toStartWith(hint)
  })

  test('in the sections of .project-config.json that are ours', () => {
    expect(complaint({ json: '{"task_size_limits": {"max_fils_to_create": 3}}' })).toEqual([
      'Error: .project-config.json:1:23: unknown key task_size_limits.max_fils_to_create',
      'Did you mean task_size_limits.max_files_to_create?',
    ])
    expect(complaint({ json: '{\n  "integrations": {\n    "linear": { "team": "x" }\n  }\n}' })).toEqual([
      'Error: .project-config.json:3:17: unknown key integrations.linear.team',
      'Did you mean integrations.linear.team_id?',
    ])
  })

  test('in the person’s own file, where no ledger can be chosen', () => {
    const [said, next] = complaint({ own: 'ledger: main\n' })
    expect(said).toEndWith('/.config/gza/config.yaml:1:1: unknown key ledger')
    expect(next).toStartWith('Known here: land, land_batch,')
  })
})

describe('a bad value is named with what it must be', () => {
  test.each([
    ['defaults:\n  max_turns: many\n', '2:14: defaults.max_turns must be a whole number above 0, not "many"'],
    ['defaults: { max_attempts: 0 }\n', '1:27: defaults.max_attempts must be a whole number above 0, not 0'],
    ['defaults: { auto_review: yes }\n', '1:26: defaults.auto_review must be true or false, not "yes"'],
    ['defaults: { model: 4 }\n', '1:20: defaults.model must be text, not 4'],
    ['defaults: { agent: " " }\n', '1:20: defaults.agent must be text, not " "'],
    [
      'verify: { timeout_minutes: -1.5 }\n',
      '1:28: verify.timeout_minutes must be a number of minutes above 0, at most 10080, not -1.5',
    ],
    [
      'defaults: { stall_minutes: .inf }\n',
      '1:28: defaults.stall_minutes must be a number of minutes above 0, at most 10080, not Infinity',
    ],
    ['parallel_workers: 1.5\n', '1:19: parallel_workers must be a whole number from 1 to 256, not 1.5'],
    ['land: mrege\n', '1:7: land must be one of branch, cherry-pick, merge, squash, not "mrege"'],
    ['budgets: { day_usd: 0 }\n', '1:21: budgets.day_usd must be an amount in dollars above 0, not 0'],
    ['retry: { backoff_seconds: -1 }\n', '1:27: retry.backoff_seconds must be a number of seconds, 0 or more, not -1'],
    [
      'task_size_limits: { complexity_threshold: 14 }\n',
      '1:43: task_size_limits.complexity_threshold must be a score from 0 to 13, not 14',
    ],
    ['verify: [npm test]\n', '1:9: verify must be a section, not a list'],
    ['verify: npm test\n', '1:9: verify must be a section, not "npm test"'],
    ['agents:\n  aider:\n', '2:3: agents.aider must be a section with a command, not null'],
    ['agents:\n  aider:\n    comand: aider --yes\n', '3:5: unknown key agents.aider.comand'],
    ['agents:\n  aider: { stdin: true }\n', '2:3: agents.aider.command is missing'],
    ['agents: { "a b": { command: x } }\n', '1:11: agents.a b is not a valid name'],
    [
      'agents: { x: { command: y, env: { N: 1 } } }\n',
      '1:38: agents.x.env.N must be text, in quotes if it looks like something else, not 1',
    ],
    ['- a\n', '1:1: gza.yaml must be a map of keys, not a list'],
    [
      'retry: { max_attempts: 2 }\ndefaults: { max_attempts: 3 }\n',
      '1:10: retry.max_attempts and defaults.max_attempts are the same setting, but have different values',
    ],
  ])('%j', (yaml, message) => {
    expect(complaint({ yaml })[0]).toBe(`Error: gza.yaml:${message}`)
  })

  test('a long or hostile value neither fills the screen nor reaches the terminal', () => {
    const [said = ''] = complaint({ yaml: `land: "\\e[31m${'x'.repeat(5000)}"\n` })
    expect(said).toHaveLength(
      'Error: gza.yaml:1:7: land must be one of branch, cherry-pick, merge, squash, not '.length + 60,
    )
    expect(said).not.toContain('\x1b')
  })
})

describe('a file that cannot be read as YAML or JSON is named with the place', () => {
  test.each([
    [{ yaml: 'defaults:\n  model: a\n  model: b\n' }, 'gza.yaml:3:3: the key model is given twice'],
    [
      { json: '{"parallel_workers": 1, "parallel_workers": 2}' },
      '.project-config.json:1:25: the key "parallel_workers" is given twice',
    ],
    [{ yaml: 'defaults:\n\tmodel: a\n' }, 'gza.yaml:2:1: Tabs are not allowed as indentation'],
    [{ yaml: 'land: merge\n---\nland: squash\n' }, 'gza.yaml:2:1: a second document begins here, but only one is read'],
    [{ yaml: 'land: !ours merge\n' }, 'gza.yaml:1:7: Unresolved tag: !ours'],
    [{ yaml: 'land: *nowhere\n' }, 'gza.yaml:1:7: the alias *nowhere has no anchor before it'],
    [{ json: '{"parallel_workers": 1' }, '.project-config.json:1:23: Flow map must end with a }'],
    [{ json: '[]' }, '.project-config.json:1:1: .project-config.json must be an object, not a list'],
  ])('%j', (files, message) => {
    expect(complaint(files)[0]).toBe(`Error: ${message}`)
  })

  test('a bomb of aliases is refused', () => {
    const rows = 'abcdefgh'.split('').map((name, at, all) => `${name}: &${name} [${`*${all[at - 1]},`.repeat(9)}]`)
    const yaml = ['a: &a [x]', ...rows.slice(1)].join('\n')
    expect(complaint({ yaml })[0]).toContain('Excessive alias count')
  })

  test('a folder in its place', () => {
    const repo = aConfiguredRepo({})
    repo.write('gza.yaml/file', '')
    const { code, stderr } = repo.gza('config')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Error: .*gza\.yaml is not a file\n {2}Replace it with a text file, or remove it\.\n$/)
  })
})

test('with --json the error is one, too', () => {
  const { code, stdout } = aConfiguredRepo({ yaml: 'defalts: {}\n' }).gza('config', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'BAD_CONFIG', message: 'gza.yaml:1:1: unknown key defalts', hint: 'Did you mean defaults?' },
  })
})

test('empty files and empty sections say nothing', () => {
  for (const yaml of ['', '# nothing\n', 'null\n', 'defaults:\nverify: {}\ntask_types: { plan: }\nland:\n']) {
    const { code, stdout } = aConfiguredRepo({ yaml, json: '', own: '\n' }).gza('config', 'land')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'land  branch  built in\n' })
  }
})
