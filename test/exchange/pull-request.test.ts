import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

/**
 * Stands for gh, which needs a login: keeps one pull request in a file, and writes down what it was called with. It
 * answers in the real one's shapes, and with its exit code 4 without a login.
 */
const GH = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_HOME/calls"
[ -e "$GH_HOME/chatty" ] && { echo 'A new release of gh is there'; exit 0; }
[ -e "$GH_HOME/logged-out" ] && { echo 'To get started with GitHub CLI, please run:  gh auth login' >&2; exit 4; }
url=https://github.com/acme/shop/pull/5
case "$1 $2" in
  'repo view') echo '{"defaultBranchRef":{"name":"main"}}' ;;
  'pr list')
    [ -e "$GH_HOME/body" ] || { echo '[]'; exit 0; }
    body=$(awk '{printf "%s%s", sep, $0; sep="\\\\n"}' "$GH_HOME/body" | sed 's/"/\\\\"/g')
    printf '[{"number":5,"url":"%s","body":"%s","isCrossRepository":false}]\\n' "$url" "$body" ;;
  'pr create') cat > "$GH_HOME/body"; echo "$url" ;;
  'pr edit') cat > "$GH_HOME/body"; echo "$url" ;;
  *) echo "unknown command $*" >&2; exit 1 ;;
esac
`

interface HostedRepo {
  repo: Repo
  origin: Repo
  body(): string
  setBody(text: string): void
  calls(): string[]
  logOut(): void
  /** From here on gh prints something that is not an answer. */
  chat(): void
}

/** A clone on the branch feature/login with two tasks, and a GitHub behind it. */
function aHostedRepo(): HostedRepo {
  const origin = aRepo()
  origin.commit('first')
  origin.git('checkout', '--quiet', '--detach')
  const clone = origin.clone()
  const home = join(clone.dir, '..', 'gh')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'gh'), GH)
  chmodSync(join(home, 'gh'), 0o755)
  const repo = clone.withEnv({ PATH: `${home}${delimiter}${clone.env.PATH}`, GH_HOME: home })
  repo.git('switch', '--quiet', '--create', 'feature/login')
  repo.commit('Add the form', { 'form.ts': '' })
  repo.gza('add', 'Add the form')
  repo.gza('add', 'Check the password', '--after', '1')
  repo.gza('add', 'Of another branch', '--branch', 'main')
  const at = (name: string) => join(home, name)
  return {
    repo,
    origin,
    body: () => readFileSync(at('body'), 'utf8'),
    setBody: (text) => writeFileSync(at('body'), text),
    calls: () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : []),
    logOut: () => writeFileSync(at('logged-out'), ''),
    chat: () => writeFileSync(at('chatty'), ''),
  }
}

test('pr --create pushes the branch and opens the pull request; a second one only updates its description', () => {
  const { repo, origin, body, setBody, calls } = aHostedRepo()
  const created = repo.gza('pr', '--create', '--draft')
  expect(created).toMatchObject({ code: 0, stdout: 'Opened https://github.com/acme/shop/pull/5\n' })
  expect(calls()).toEqual([
    'pr list --head feature/login --state open --json number,url,body,isCrossRepository',
    'repo view --json defaultBranchRef',
    'pr create --head feature/login --base main --draft --title Login --body-file -',
  ])
  expect(origin.git('rev-parse', 'feature/login')).toBe(repo.git('rev-parse', 'HEAD'))
  expect(origin.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/tasks')).toBe(
    `refs/tasks/feature/login ${repo.git('rev-parse', 'refs/tasks/feature/login')}`,
  )
  expect(body()).toStartWith('<!-- gza:begin -->\n## Tasks\n\n- [ ] task-')

  setBody(`Please look.\n\n${body()}\n\nThanks to all.`)
  expect(repo.gza('pr', '--create').stdout).toBe('Already up to date: https://github.com/acme/shop/pull/5\n')
  repo.gza('done', '1')
  expect(JSON.parse(repo.tasks('pr', '--update', '--json').stdout)).toMatchObject({
    result: 'updated',
    branch: 'feature/login',
  })
  expect(body()).toMatch(
    /^Please look\.\n\n<!-- gza:begin -->\n## Tasks\n\n- \[x\] [\s\S]*<!-- gza:end -->\n\nThanks to all\.$/,
  )
})

test('what cannot be done is refused before anything is pushed', () => {
  const { repo, origin, logOut, chat, calls } = aHostedRepo()
  const refusal = (from: Repo, ...args: string[]) => {
    const { code, stdout } = from.gza('pr', ...args, '--json')
    return [code, JSON.parse(stdout).error.code]
  }
  expect(refusal(repo, '--update')).toEqual([1, 'NO_PULL_REQUEST'])
  expect(refusal(repo, '--create', '--update')).toEqual([2, 'USAGE'])
  expect(refusal(repo, '--title', 'Login')).toEqual([2, 'USAGE'])
  expect(refusal(repo, '--create', '--base', 'feature/login')).toEqual([1, 'SAME_BRANCH'])
  expect(refusal(repo, '--create', '--branch', 'other')).toEqual([1, 'NO_BRANCH'])
  const before = calls().length
  expect(refusal(repo.withEnv({ GZA_AGENT: 'claude-code' }), '--create')).toEqual([1, 'AGENT_MODE'])
  expect(calls().length).toBe(before)
  logOut()
  expect(refusal(repo, '--create')).toEqual([1, 'GH_LOGIN'])
  chat()
  expect(refusal(repo, '--create')).toEqual([1, 'GH_FAILED'])
  const bare = (repo.env.PATH ?? '').split(delimiter).slice(1)
  const without = bare.filter((folder) => !existsSync(join(folder, 'gh')))
  expect(refusal(repo.withEnv({ PATH: without.join(delimiter) }), '--create')).toEqual([1, 'NO_GH'])
  expect(origin.git('branch', '--list', 'feature/login')).toBe('')
})

test('a push that is refused is reported, and opens nothing', () => {
  const { repo, origin, calls } = aHostedRepo()
  origin.git('branch', 'feature/login', origin.git('commit-tree', '-m', 'else', 'HEAD^{tree}'))
  expect(repo.gza('pr', '--create')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('refused the push of feature/login'),
  })
  expect(calls().some((call) => call.startsWith('pr create'))).toBe(false)
})

test('a remote that takes no tasks gets the branch, and the pull request is opened', () => {
  const { repo, origin } = aHostedRepo()
  const hook = 'while read old new ref; do case $ref in refs/tasks/*) exit 1;; esac; done\n'
  writeFileSync(join(origin.dir, '.git/hooks/pre-receive'), `#!/bin/sh\n${hook}`, { mode: 0o755 })
  expect(repo.gza('pr', '--create')).toMatchObject({
    code: 0,
    stdout: 'Opened https://github.com/acme/shop/pull/5\n',
    stderr: expect.stringContaining('Warning: The branch is pushed, but not all of its tasks are'),
  })
  expect(origin.git('for-each-ref', 'refs/tasks')).toBe('')
})
