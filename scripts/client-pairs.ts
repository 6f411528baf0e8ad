import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_PAIRS, ORDINARY, type Pair, pairName, setIsolation, through } from '../test/clients/pairs.ts'

/** What of the machine an ordinary user has to see: the checkout and the clients may be in root's home folder. */
export interface View {
  /** Comes before a command line. */
  through: string[]
  clients: string
  gza: string
}

const IS_ROOT = process.getuid?.() === 0

/** For root, a view in which any user can read gza and the clients, and in which the ordinary user has a name. */
export function openView(dist: string, clients: string): View {
  const own = { through: [], clients, gza: join(dist, 'gza') }
  if (!IS_ROOT) return own
  const folder = mkdtempSync('/var/tmp/gza-view-')
  const at = (name: string): string => join(folder, name)
  // Not recursively: what is mounted there is not ours to remove.
  process.once('exit', () => {
    rmSync(at('passwd'))
    for (const path of [at('bin'), at('clients'), folder]) rmdirSync(path)
  })
  for (const path of [at('bin'), at('clients')]) mkdirSync(path)
  writeFileSync(at('passwd'), withOrdinaryUser(readFileSync('/etc/passwd', 'utf8')))
  chmodSync(folder, 0o755)
  const mounts = [`'${dist}' ${at('bin')}`, `'${clients}' ${at('clients')}`, `${at('passwd')} /etc/passwd`]
  const script = [...mounts.map((words) => `mount --bind ${words}`), 'exec "$@"'].join('; ')
  const prefix = ['unshare', '--mount', '--propagation', 'private', 'sh', '-ec', script, 'sh']
  const canMount = run([...prefix, 'true']).status === 0
  return canMount ? { through: prefix, clients: at('clients'), gza: join(at('bin'), 'gza') } : own
}

function withOrdinaryUser(text: string): string {
  const isThere = text.split('\n').some((line) => line.split(':')[2] === `${ORDINARY}`)
  return isThere ? text : `${text.trimEnd()}\nordinary:x:${ORDINARY}:${ORDINARY}::/nonexistent:/bin/sh\n`
}

/** The pairs that this machine has, the strongest level of this user first. Prints which are not tested, and why. */
export function findPairs(view: View): Pair[] {
  const faults = ALL_PAIRS.map((pair) => ({ pair, why: whyNot(pair, view) }))
  for (const { pair, why } of faults) if (why !== null) console.log(`NOT TESTED: ${pairName(pair)}: ${why}`)
  return faults.flatMap(({ pair, why }) => (why === null ? [pair] : []))
}

function whyNot(pair: Pair, view: View): string | null {
  if (!IS_ROOT && pair.user === 'root') return 'only root can test it'
  if (IS_ROOT && view.through.length === 0 && (pair.user !== 'root' || pair.level === 'unshare'))
    return 'no mounts can be made here'
  if (pair.level === 'none') return null
  const root = mkdtempSync('/var/tmp/gza-pair-')
  try {
    return whyNotHeld(pair, view, root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const IDENTITY = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com' }
const COMMITTER = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com' }

/** A run of a small agent shows what holds it. */
function whyNotHeld(pair: Pair, view: View, root: string): string | null {
  setIsolation({ HOME: root }, pair)
  const repo = join(root, 'repo')
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GZA_TRUST: '1',
    ...IDENTITY,
    ...COMMITTER,
  }
  mkdirSync(repo)
  writeFileSync(join(repo, 'gza.yaml'), 'agents: {small: {command: sh -c "echo made > made.txt"}}\n')
  const as = (argv: string[]) => run([...view.through, ...through(pair, root), ...argv], env)
  const gza = (...args: string[]) => as([view.gza, '-C', repo, ...args])
  as(['sh', '-ec', `cd '${repo}'; git init -q; git add -A; git commit -qm start`])
  gza('add', 'A file')
  const worked = gza('work', '1', '--agent', 'small')
  const { stdout } = gza('show', '1', '--json')
  const shown = JSON.parse(stdout || '{}') as { runs?: { isolation?: string }[] }
  const level = shown.runs?.[0]?.isolation
  if (level === pair.level) return null
  return level === undefined ? `${worked.stdout}${worked.stderr}`.trim() : `runs are held by ${level}`
}

function run([program = '', ...args]: string[], env: NodeJS.ProcessEnv = process.env) {
  return spawnSync(program, args, { env, encoding: 'utf8' })
}
