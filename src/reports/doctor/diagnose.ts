/** `gza doctor`: checks everything gza depends on, and reports the next step for each problem. */

import { join } from 'node:path'
import { installCommand } from '../../core/client-setup/install-client.ts'
import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import { command, sentence } from '../../core/sentence.ts'
import { TASK_TYPES } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { missedLedgers, verifyLedger } from '../../exchange/remote/verify-ledger.ts'
import { isOfSettings, knownRedBase } from '../../landing/base-checks.ts'
import { fileExists, findProgram, isWritable, readTextIfThere } from '../../platform/files/files.ts'
import { type Env, runGit, tryGit } from '../../platform/git/git.ts'
import { lockAt, lockWords } from '../../platform/git/ref-lock.ts'
import { listRefs } from '../../platform/git/refs.ts'
import { listPauses } from '../../runs/spend/agent-pauses.ts'
import { hasDayBudget, whyDaySpent } from '../../runs/spend/day-budget.ts'
import { pausedName } from '../../runs/spend/paused-agents.ts'
import { deadWords, findDeadRuns, nextStep } from '../../runs/watch/dead-runs.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import { whyUnsound } from '../../state/index/schema.ts'
import { noLedgerNamed } from '../../workspace/choose-ledger.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { CONFIG_FILE } from '../../workspace/config/configured-ledger.ts'
import { knownBudgets } from '../../workspace/config/known-budgets.ts'
import { executableConfig } from '../../workspace/config/trust-config.ts'
import { ledgerNames, readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { sharedKeys } from '../../workspace/ledger/taken-keys.ts'
import type { LostLink } from '../../workspace/links/lost-links.ts'
import { alsoFor, useWorkspace, type Workspace } from '../../workspace/workspace.ts'
import { CLIENTS } from '../machine/list-clients.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { checkIsolation } from './isolation-findings.ts'
import { checkRemotes } from './remote-findings.ts'
import { checkWorktrees } from './worktree-findings.ts'

export async function diagnose(options: { cwd: string; env: Env; branch?: string }): Promise<Finding[]> {
  const git = checkGit(options)
  if (git.state === 'fail') return [git]
  try {
    return await useWorkspace({ ...options, spansLedgers: true }, async (ws) => [git, ...(await checkWorkspace(ws))])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [git, fail('repository', error.message, error.hint ?? null)]
  }
}

async function checkWorkspace(ws: Workspace): Promise<Finding[]> {
  const config = await loadConfiguration(ws).catch(() => null)
  return [
    ok('repository', ws.repo.workTree ?? ws.repo.gitDir),
    ...checkHead(ws),
    checkState(ws),
    ...ledgerNames(ws).flatMap((ledger) => checkLedger(ws, ledger)),
    ...missedLedgers(ws).map(({ ledger }) =>
      fail(`ledger ${ledger}`, 'it is missing, but a witness has recorded it', command`verify --branch ${ledger}`),
    ),
    ...checkOrphans(ws),
    ...findDeadRuns(ws).map((dead) => warn('runs', deadWords(ws, dead), nextStep(ws, dead))),
    ...(await checkRemotes(ws)),
    ...checkLocks(ws),
    checkLinks(ws),
    ...(await checkConfiguration(ws)),
    ...(await checkBudget(ws)),
    checkActor(ws),
    ...checkAgents(ws, config),
    ...(config === null ? [] : await checkIsolation(ws.repo, config)),
    ...checkPauses(ws),
    ...checkBase(ws, config),
  ]
}

/** As it was last found, with the settings of now. A check may take long, so doctor does not run it. */
function checkBase(ws: Workspace, config: Config | null): Finding[] {
  const red = knownRedBase(ws)
  if (red === null || (config !== null && !isOfSettings(red, config))) return []
  const how = red.inBox ? 'passes its checks outside, but fails them in a box' : 'fails its own checks'
  const what = `${red.base} (${red.commit.slice(0, 7)}) ${how}, so no agent starts: ${red.why}`
  return [warn('base', what, red.inBox?.advice ?? `See it in a checkout of ${red.base}: ${red.run}`)]
}

function checkGit({ cwd, env }: { cwd: string; env: Env }): Finding {
  try {
    const version = runGit({ dir: cwd, env }, ['--version']).toString().trim()
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
    if (major > 2 || (major === 2 && minor >= 34)) return ok('git', version)
    return fail('git', `${version} is too old`, 'Install git 2.34 or later.')
  } catch (error) {
    const { message, hint } = error as Partial<UserError>
    return fail('git', message ?? '', hint ?? 'Install git 2.34 or later and make sure that it is on PATH.')
  }
}

function checkHead(ws: Workspace): Finding[] {
  if (ws.namedLedger !== null) return []
  const { message, hint } = noLedgerNamed(ws.repo)
  return [warn('head', message, hint ?? null)]
}

function checkState(ws: Workspace): Finding {
  if (!isWritable(ws.repo.commonDir))
    return warn(
      'state',
      `${ws.repo.commonDir} is read-only: tasks can be read, not changed`,
      'Work in a repository you may write to.',
    )
  if (!fileExists(ws.statePath))
    return warn('state', `${ws.statePath} cannot be created: every command reads the whole ledger`, IN_THE_WAY)
  const why = whyUnsound(ws.state)
  if (why === null) return ok('state', ws.statePath)
  return warn('state', `${ws.statePath}: ${why}`, 'The next command that reads it rebuilds it from the ledgers.')
}

function checkLedger(ws: Workspace, ledger: string): Finding[] {
  const name = `ledger ${ledger}`
  try {
    const { row } = readOtherLedger(ws, ledger)
    const [report] = verifyLedger(alsoFor(ws, { ledger }))
    const bad = unreadableLines(ws.state, row.lid)[0]
    if (bad)
      return [
        warn(
          name,
          `${bad.path} line ${bad.line} cannot be read: ${bad.why}`,
          `gza keeps it unchanged; git log -p refs/tasks/${ledger} shows where it came from.`,
        ),
      ]
    if (report && !report.ok)
      return [fail(name, report.first_bad?.detail ?? 'a witness differs', command`verify --branch ${ledger}`)]
    const doubt = report?.witnesses.find(({ state }) => state === 'warns')
    if (doubt) return [warn(name, `the ${doubt.name} warns: ${doubt.detail}`, command`verify --branch ${ledger}`)]
    const shared = [...checkKeys(ws, ledger), ...checkCommits(ledger, report?.links ?? [])]
    return [
      ...shared,
      ok(name, `${plural(row.tasks, 'task')}, ${plural(report?.commit_count ?? 0, 'change')}, all forward`),
    ]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [fail(name, error.message, error.hint ?? null)]
  }
}

function checkOrphans(ws: Workspace): Finding[] {
  const branches = listRefs(ws.repo, 'refs/heads/')
  const orphans = ledgerNames(ws).filter((ledger) => !branches.has(`refs/heads/${ledger}`) && ledger !== ws.namedLedger)
  return orphans.length === 0
    ? []
    : [
        warn(
          'orphans',
          `ledgers whose branch no longer exists: ${orphans.join(', ')}`,
          sentence`${command`prune`} archives them; ${command`prune --restore NAME`} brings one back.`,
        ),
      ]
}

function checkLocks(ws: Workspace): Finding[] {
  const ledgers = [...new Set([...(ws.namedLedger === null ? [] : [ws.namedLedger]), ...ledgerNames(ws)])].map(
    (ledger) => `refs/tasks/${ledger}`,
  )
  return [...ledgers, 'refs/notes/tasks', 'packed-refs']
    .map((name) => join(ws.repo.commonDir, `${name}.lock`))
    .flatMap((path) => lockAt(path) ?? [])
    .map(lockWords)
    .map(({ fact, next }) => warn('lock', fact, next))
}

/** A merge of ledgers can bring together two tasks with the same key. Then the key identifies neither. */
function checkKeys(ws: Workspace, ledger: string): Finding[] {
  return sharedKeys(readOtherLedger(ws, ledger)).map(([key, tasks]) => {
    const names = tasks.map(({ number, id }) => `#${number} (${id})`).join(', ')
    const branch = ledger === ws.namedLedger ? [] : ['--branch', ledger]
    return warn(
      'keys',
      `${ledger}: ${key} is the key of ${names}`,
      command`edit ${tasks.at(-1)?.id ?? 'ID'} --key NEW ${branch}`,
    )
  })
}

const NAMED_LINKS = 5

/** What is missing may be in the clone of the person who made it; what is on no branch will not come back by itself. */
function checkCommits(ledger: string, links: readonly LostLink[]): Finding[] {
  const lost = links.filter(({ state }) => state === 'unreachable')
  if (lost.length === 0) return []
  const names = lost.slice(0, NAMED_LINKS).map(({ number, commit }) => `#${number} (${commit.slice(0, 7)})`)
  const more = lost.length > NAMED_LINKS ? ` and ${lost.length - NAMED_LINKS} more` : ''
  const next = sentence`${command`log`} looks for the commits that replaced them; a commit that was dropped has none.`
  return [warn('links', `${ledger}: ${names.join(', ')}${more} are linked to commits that no branch has`, next)]
}

function checkLinks(ws: Workspace): Finding {
  const refs = tryGit(ws.repo, ['config', '--get-all', 'notes.rewriteRef']).stdout.toString()
  if (/^refs\/notes\/(task\[s\]|tasks|\*)$/m.test(refs)) return ok('links', 'notes follow amend and rebase')
  return warn('links', 'notes do not follow amend and rebase', command`init`)
}

const IN_THE_WAY = 'A file has the name of its folder: move that file elsewhere.'

/** A separate finding, so that an error in the configuration does not hide the other findings. */
async function checkConfiguration(ws: Workspace): Promise<Finding[]> {
  try {
    return await readAndCheckConfiguration(ws)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [fail('configuration', error.message, error.hint ?? null)]
  }
}

async function readAndCheckConfiguration(ws: Workspace): Promise<Finding[]> {
  const config = await loadConfiguration(ws)
  const text = ws.repo.workTree === null ? null : readTextIfThere(join(ws.repo.workTree, CONFIG_FILE))
  const worktrees = [...checkWorktrees(ws, config), ...checkChecks(config)]
  if (text === null) return [ok('configuration', `no ${CONFIG_FILE}: defaults`), ...worktrees]
  const files = executableConfig(ws).map(({ file, trusted }) =>
    trusted
      ? ok('configuration', `${file} is trusted`)
      : warn(
          'configuration',
          `${file} is not trusted: commands in it will not run`,
          sentence`Read it, then: ${command`trust`}`,
        ),
  )
  return [...files, ...worktrees]
}

function checkChecks({ verify }: Config): Finding[] {
  const commands = [verify.command, verify.test_command].filter((each) => each !== null)
  if (commands.length > 0) return [ok('checks', commands.join('; '))]
  const what = 'no check is configured: "completed" will only mean "committed"'
  return [warn('checks', what, sentence`${command`init`} proposes one, or set verify.command in gza.yaml.`)]
}

async function checkBudget(ws: Workspace): Promise<Finding[]> {
  const budgets = await knownBudgets(ws)
  if (!hasDayBudget(budgets)) return []
  const day = whyDaySpent(ws, budgets)
  if (day === null) return [ok('budget', 'the day’s budget is not used up')]
  const next = `Work continues at ${day.until}, or with a higher budgets.day_usd or budgets.day_turns.`
  return [warn('budget', `the day’s budget is used up: ${day.spent}`, next)]
}

function checkActor(ws: Workspace): Finding {
  const { mode, name, source } = ws.actor
  return ok('mode', mode === 'human' ? `person (${name})` : `agent ${name} (${source})`)
}

function checkPauses(ws: Workspace): Finding[] {
  try {
    return listPauses(ws).map((pause) =>
      warn(
        'agents',
        `${pausedName(pause)} is at its usage limit until ${pause.until}`,
        sentence`${command`agents resume ${pause.agent}`} lifts the pause`,
      ),
    )
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [fail('agents', error.message, error.hint ?? null)]
  }
}

/** Clients that the configuration names and that are not installed. */
function missingClients(config: Config | null, found: readonly string[]): Finding[] {
  if (config === null) return []
  const named = TASK_TYPES.flatMap((type) => [effective(config, type).agent, effective(config, type).review_agent])
  const missing = [...new Set(named)].filter((name) => !config.agents.has(name) && !found.includes(name))
  return missing.flatMap((name) => {
    const install = installCommand(name)
    const next = `Install it: ${install}. Or choose another one: defaults.agent in gza.yaml.`
    return install === null ? [] : [warn('agents', `${name} is configured, but not on PATH`, next)]
  })
}

function checkAgents(ws: Workspace, config: Config | null): Finding[] {
  const found = installedClients(ws)
  const own = [...(config?.agents.keys() ?? [])].filter((name) => !found.includes(name))
  const install = clientToInstall(ws, config)
  if (install !== null)
    return [warn('agents', `none of ${CLIENTS.join(', ')} is on PATH`, `Install one, for example: ${install}`)]
  return [ok('agents', [...found, ...own].join(', ')), ...missingClients(config, found)]
}

/** The command that installs a client, if nobody is there who could work; null: somebody is. */
export function clientToInstall(ws: Workspace, config: Config | null): string | null {
  return installedClients(ws).length > 0 || (config?.agents.size ?? 0) > 0 ? null : installCommand('claude')
}

function installedClients({ env }: Workspace): string[] {
  return CLIENTS.filter((client) => findProgram(client, env.PATH ?? '') !== null)
}
