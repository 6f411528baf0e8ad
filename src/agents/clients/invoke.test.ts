import { expect, test } from 'bun:test'
import type { Invocation, PhaseCall } from '../agent.ts'
import { agentNamed } from '../registry.ts'

function invoke(client: string, call: Partial<PhaseCall> = {}): Invocation {
  const whole: PhaseCall = {
    prompt: 'PROMPT',
    access: 'work',
    cwd: '/work/tree',
    isRoot: false,
    newSession: 'NEW',
    ...call,
  }
  return agentNamed(client).invoke(whole)
}

const line = (client: string, call?: Partial<PhaseCall>) => invoke(client, call).argv.join(' ')

const FULL = { model: 'M', maxTurns: 7, maxCostUsd: 1.5, resume: 'ID' }

const GOLDENS: Record<string, { work: string; readOnly: string; resume: string; full: string; fullReadOnly: string }> =
  {
    claude: {
      work: 'claude -p PROMPT --output-format stream-json --verbose --dangerously-skip-permissions',
      readOnly: 'claude -p PROMPT --output-format stream-json --verbose --strict-mcp-config --tools Read,Grep,Glob',
      resume: 'claude -p PROMPT --output-format stream-json --verbose --dangerously-skip-permissions --resume ID',
      full: 'claude -p PROMPT --output-format stream-json --verbose --dangerously-skip-permissions --model M --max-turns 7 --max-budget-usd 1.5 --resume ID',
      fullReadOnly:
        'claude -p PROMPT --output-format stream-json --verbose --model M --max-turns 7 --max-budget-usd 1.5 --resume ID --strict-mcp-config --tools Read,Grep,Glob',
    },
    codex: {
      work: 'codex exec --json --dangerously-bypass-approvals-and-sandbox PROMPT',
      readOnly: 'codex exec -s read-only --json PROMPT',
      resume: 'codex exec resume ID --json --dangerously-bypass-approvals-and-sandbox PROMPT',
      full: 'codex exec resume ID --json --dangerously-bypass-approvals-and-sandbox -m M PROMPT',
      fullReadOnly: 'codex exec -s read-only resume ID --json -m M PROMPT',
    },
    opencode: {
      work: 'opencode run --format json --print-logs --log-level ERROR --auto PROMPT',
      readOnly: 'opencode run --format json --print-logs --log-level ERROR --agent gza-reader PROMPT',
      resume: 'opencode run --format json --print-logs --log-level ERROR --auto --session ID PROMPT',
      full: 'opencode run --format json --print-logs --log-level ERROR --auto -m M --session ID PROMPT',
      fullReadOnly:
        'opencode run --format json --print-logs --log-level ERROR --agent gza-reader -m M --session ID PROMPT',
    },
    gemini: {
      work: 'gemini -p PROMPT --yolo --skip-trust -o stream-json',
      readOnly: 'gemini -p PROMPT --approval-mode plan --skip-trust -o stream-json',
      resume: 'gemini -p PROMPT --yolo --skip-trust -o stream-json --resume ID',
      full: 'gemini -p PROMPT --yolo --skip-trust -o stream-json -m M --resume ID',
      fullReadOnly: 'gemini -p PROMPT --approval-mode plan --skip-trust -o stream-json -m M --resume ID',
    },
    qwen: {
      work: 'qwen PROMPT -o stream-json --yolo',
      readOnly: 'qwen PROMPT -o stream-json --approval-mode plan',
      resume: 'qwen PROMPT -o stream-json --yolo --resume ID',
      full: 'qwen PROMPT -o stream-json --yolo -m M --max-session-turns 7 --resume ID',
      fullReadOnly: 'qwen PROMPT -o stream-json --approval-mode plan -m M --max-session-turns 7 --resume ID',
    },
    copilot: {
      work: 'copilot -p PROMPT --output-format json --allow-all-tools --allow-all-paths --session-id=NEW',
      readOnly:
        'copilot -p PROMPT --output-format json --allow-all-tools --available-tools=view,grep,glob --session-id=NEW',
      resume: 'copilot -p PROMPT --output-format json --allow-all-tools --allow-all-paths --resume=ID',
      full: 'copilot -p PROMPT --output-format json --allow-all-tools --allow-all-paths --model M --resume=ID',
      fullReadOnly:
        'copilot -p PROMPT --output-format json --allow-all-tools --available-tools=view,grep,glob --model M --resume=ID',
    },
  }

test.each(Object.entries(GOLDENS))('%s is called with the documented arguments', (client, golden) => {
  expect({
    work: line(client),
    readOnly: line(client, { access: 'read-only' }),
    resume: line(client, { resume: 'ID' }),
    full: line(client, FULL),
    fullReadOnly: line(client, { ...FULL, access: 'read-only' }),
  }).toEqual(golden)
})

test.each(Object.keys(GOLDENS))('%s is called the same way by root, and standard input stays closed', (client) => {
  for (const access of ['work', 'read-only'] as const) {
    expect(line(client, { access, isRoot: true })).toBe(line(client, { access }))
    expect(invoke(client, { access }).stdin).toBeUndefined()
  }
})

test('root works with claude in what it considers a sandbox, and needs none to read', () => {
  expect(invoke('claude', { isRoot: true }).env).toEqual({ IS_SANDBOX: '1' })
  expect(invoke('claude').env).toEqual({})
  expect(invoke('claude', { isRoot: true, access: 'read-only' }).env).toEqual({})
})

test('codex makes no sandbox of its own where one cannot be made inside', () => {
  const bypassed = 'codex exec --json --dangerously-bypass-approvals-and-sandbox PROMPT'
  expect(line('codex', { access: 'read-only', isHeld: true })).toBe(bypassed)
})

test('opencode gets its folder, and reads as an agent that may not write', () => {
  expect(invoke('opencode').env).toEqual({ PWD: '/work/tree' })
  const { env } = invoke('opencode', { access: 'read-only' })
  const { permission } = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '').agent['gza-reader']
  expect(permission).toMatchObject({ '*': 'deny', edit: 'deny', task: 'deny', read: 'allow' })
  // The last rule that matches decides.
  expect(Object.entries(permission.bash)).toEqual([
    ['*', 'deny'],
    ['git diff*', 'allow'],
    ['git log*', 'allow'],
    ['*>*', 'deny'],
    ['*--output*', 'deny'],
  ])
})

const ON_STDIN: Record<string, string> = {
  claude: 'claude -p --output-format stream-json --verbose --dangerously-skip-permissions',
  codex: 'codex exec --json --dangerously-bypass-approvals-and-sandbox -',
  opencode: 'opencode run --format json --print-logs --log-level ERROR --auto',
  gemini: 'gemini --yolo --skip-trust -o stream-json',
  qwen: 'qwen -o stream-json --yolo',
  copilot: 'copilot --output-format json --allow-all-tools --allow-all-paths --session-id=NEW',
}

test.each(Object.entries(ON_STDIN))(
  'a prompt that no argument can carry reaches %s on standard input',
  (client, expected) => {
    for (const prompt of ['é'.repeat(70_000), '- a list\n- of wishes', 'a\0b']) {
      const { argv, stdin } = invoke(client, { prompt })
      expect(argv.join(' ')).toBe(expected)
      expect(stdin).toBe(prompt)
    }
  },
)
