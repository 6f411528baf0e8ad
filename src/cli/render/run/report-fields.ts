import type { EndedInTree } from '../../../scheduler/in-tree/run-tasks-in-tree.ts'
import type { WorkReport } from '../../../scheduler/work-report.ts'
import { agentsDown } from './work.ts'

/** What `work` and `run` print with --json, without the end of the session. */

export function workFields(report: WorkReport) {
  return {
    completed: report.completed.map(runFields),
    failed: report.failed.map(({ plan, result, isFinal }) => ({
      ...runFields(plan),
      reason: result.end.reason,
      final: isFinal,
    })),
    interrupted: report.interrupted.map(runFields),
    asked: report.asked,
    refused: report.refused.map(({ number, id, code, message }) => ({ number, id, code, detail: message })),
    paused: report.paused.map(pauseFields),
    down: agentsDown(report),
    day_budget: dayFields(report.day),
    deadlock: report.deadlock,
    base_red: baseFields(report.baseRed),
    landing: report.landing,
    summary: report.summary,
  }
}

export function inTreeFields(report: Omit<EndedInTree, 'fault' | 'end'>) {
  const { done, skipped, asked, failed, planned, isAllDone, paused, day, nested, stopped } = report
  return {
    ...{ completed: done, failed, skipped, asked, planned },
    all_done: isAllDone,
    paused: paused === null ? [] : [pauseFields(paused)],
    day_budget: dayFields(day),
    nested_repositories: nested,
    failure: stopped,
  }
}

function runFields({ subject: { number, task, run }, place: { branch } }: WorkReport['completed'][number]) {
  return { number, id: task.id, run, branch }
}

function pauseFields({ agent, until }: WorkReport['paused'][number]) {
  return { agent, paused_until: until }
}

function dayFields(day: WorkReport['day']) {
  return day && { detail: day.spent, paused_until: day.until }
}

function baseFields(red: WorkReport['baseRed']) {
  if (red === null) return null
  const { base, commit, detail, run, in_box } = red
  return { base, commit, detail, command: run, in_box }
}
