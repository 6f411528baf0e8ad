/**
 * `gza work`. A task goes through these functions, in this order:
 *
 * | step | function |
 * |---|---|
 * | choose | `chooseTasks`, then `takeRun` plans the run and leases the task |
 * | prepare, phase, check | `runTask` |
 * | record | `concludeRun` |
 * | land | the lander, which `settleRun` wakes |
 *
 * `performRun` calls them for one run, `runWorkSession` starts the runs.
 */

import { type Config, originOf } from '../core/config/settings.ts'
import { isBox } from '../core/isolation/levels.ts'
import { command, commandLine } from '../core/sentence.ts'
import { isolateRuns } from '../engine/isolation/agent-box/box-programs.ts'
import type { RunIsolation } from '../engine/isolation/agent-box/run-level.ts'
import { endSoonAfter } from '../platform/processes/run-briefly.ts'
import { readDeadlock } from '../reports/read-deadlock.ts'
import { readSummary } from '../reports/read-summary.ts'
import { promptFiles } from '../runs/prompt/build-prompt.ts'
import { recoverRuns } from '../runs/recover-runs.ts'
import { assertNoFleet } from '../workspace/fleet/fleet-membership.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { redLine } from './base/base-watch.ts'
import { nightLines, uncheckedLine } from './choose/announce-work.ts'
import { collectEnd } from './end/collect-end.ts'
import { readEnd, type WorkEnd } from './end/read-end.ts'
import { withNotices } from './notify/notifier.ts'
import { openWorkSession } from './open-work-session.ts'
import { runWorkSession } from './run-work-session.ts'
import { configurationToWork, type WorkOptions } from './work-options.ts'
import type { WorkReport, WorkWatcher } from './work-report.ts'

interface EndedWork extends WorkReport {
  end: WorkEnd
}

/** Works on the given tasks, or on those that are ready, and returns when nothing more can be done now. */
export async function workOnTasks(ws: Workspace, options: WorkOptions, watcher: WorkWatcher): Promise<EndedWork> {
  const ending = endSoonAfter(watcher.cancel)
  return workNow(ws, options, watcher).finally(ending.forget)
}

async function workNow(ws: Workspace, options: WorkOptions, watcher: WorkWatcher): Promise<EndedWork> {
  const { reported } = watcher.events
  if (!options.isLocal) assertNoFleet(ws)
  const { config, untrusted } = await configurationToWork(ws)
  const isolation = await isolateRuns(ws.repo, config.isolation)
  for (const file of promptFiles(untrusted)) reported(`${file} is not trusted and is ignored: ${commandLine`trust`}`)
  for (const sentence of await recoverRuns(ws)) reported(sentence)
  const unisolated = unisolatedLine(config, isolation)
  if (unisolated !== null) reported(unisolated)
  await announce(ws, config, options, watcher)
  const { watcher: collecting, collected } = collectEnd(watcher)
  const report = await withNotices(ws, config.notify, collecting, {
    perform: (noticing) => runWorkSession(openWorkSession({ ws, config, options, isolation, watcher: noticing })),
    summarise: endWords,
  })
  const isFaulty = report.fault !== null
  const end = await readEnd(ws, collected, { again: command`work --all`, isFaulty })
  if (isFaulty) return { ...report, end }
  const summary = report.landing === null ? null : readSummary(ws)
  return { ...report, end, summary, deadlock: hasFinishedAll(report, options, watcher) ? readDeadlock(ws) : null }
}

async function announce(ws: Workspace, config: Config, options: WorkOptions, { before }: WorkWatcher): Promise<void> {
  if (before === undefined) return
  const unchecked = uncheckedLine(ws, config)
  const night = before.night ? await nightLines(ws, config, options) : []
  for (const line of [...night, ...(unchecked === null ? [] : [unchecked])]) before.announced(line)
}

/** A person who asked for isolation and does not get it is warned each time; for others only `doctor` reports it. */
function unisolatedLine(config: Config, { level }: RunIsolation): string | null {
  const wanted = config.isolation.level
  if (wanted === 'off' || isBox(level) || originOf(config, 'isolation.level').kind === 'built-in') return null
  const instead =
    level === 'landlock'
      ? 'Landlock holds agents'
      : `agents run under the guard alone${wanted === 'strict' ? ', and your home folder is writable' : ''}`
  return `isolation: ${wanted} is set, but this machine can make no box: ${instead} (${commandLine`doctor`})`
}

function endWords({ completed, failed, landing, paused, baseRed, fault }: WorkReport): string {
  const final = failed.filter(({ isFinal }) => isFinal)
  const counts = [
    `${completed.length} completed`,
    ...(landing === null ? [] : [`${landing.landed.length} landed`]),
    ...(final.length === 0 ? [] : [`${final.length} failed`]),
    ...paused.map(({ agent, until }) => `${agent} paused until ${until}`),
    ...(baseRed === null ? [] : [redLine(baseRed)]),
    ...(fault === null ? [] : [`stopped: ${fault.message}`]),
  ]
  return counts.join(', ')
}

/** The session ended because no work was left, and not because of a person or an agent's limit. */
function hasFinishedAll(report: WorkReport, { refs, all }: WorkOptions, { stop, cancel }: WorkWatcher): boolean {
  if (stop.aborted || cancel.aborted || refs.length > 0) return false
  const { completed, failed, paused, down, day, baseRed } = report
  if (paused.length > 0 || down.length > 0 || day !== null || baseRed !== null) return false
  return all === true || completed.length + failed.length === 0
}
