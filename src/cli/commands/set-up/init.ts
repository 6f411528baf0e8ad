import { command, commandLine } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { checkBaseOnce, type FirstCheck } from '../../../exchange/init/check-base-once.ts'
import { type ConfigProposal, hasConfig, proposeConfig } from '../../../exchange/init/propose-config.ts'
import { commitConfig, whyNotCommit, writeConfig, writeSchema } from '../../../exchange/init/write-config.ts'
import { clientToInstall } from '../../../reports/doctor/diagnose.ts'
import { missingHere } from '../../../reports/doctor/remote-findings.ts'
import { loadConfiguration } from '../../../workspace/config/configuration.ts'
import { initRepo } from '../../../workspace/init-repo.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderFirstCheck, renderInit, renderProposal } from '../../render/set-up/set-up.ts'
import { asksYes } from '../../terminal/input.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  yes: boolean
  bare: boolean
}

/** What was set up. The shape is public. */
interface InitResult {
  done: string[]
  /** Null: gza.yaml was not looked at. */
  config: { action: ConfigProposal['action']; committed: boolean; trusted: boolean } | null
  /** Null: no checks were run. */
  checks: FirstCheck | null
}

export default async function init(this: CallContext, flags: Flags): Promise<void> {
  if (flags.yes && flags.bare)
    throw new UserError('USAGE', 'Choose one of --yes and --bare', { hint: command`init --yes`, exitCode: 2 })
  const canAsk = !flags.json && (await this.isTerminal(0))
  const isBare = flags.bare || !(flags.yes || canAsk)
  const result = await inWorkspace(
    this,
    flags,
    async (ws) => {
      const { done } = initRepo(ws)
      ws.warnings.push(...(await missingHere(ws)))
      const isLeftOut = isBare && !flags.bare && !hasConfig(ws)
      return { done: isLeftOut ? [...done, LEFT_OUT] : done }
    },
    { spansLedgers: true },
  )
  if (isBare) {
    printResult(this, flags, { ...result, config: null, checks: null } satisfies InitResult, renderInit(result))
    return
  }
  if (!flags.json) printLines(this.out, renderInit(result))
  const more = await configure(this, flags)
  if (flags.json) printResult(this, flags, { ...result, ...more }, [])
}

const LEFT_OUT = `No gza.yaml was written, because there is no terminal to ask: ${commandLine`init --yes`} writes one`

/** Shows and writes gza.yaml, commits it, and runs the checks. */
async function configure(context: CallContext, flags: Flags): Promise<Omit<InitResult, 'done'>> {
  const print = (lines: Iterable<string>) => {
    if (flags.json) return
    printLines(context.out, lines)
    context.out.flush()
  }
  const agrees = (question: string) => flags.yes || asksYes(context, question)
  const stop = listenForStop(context, (line) => print([line]), 'Stopping.')
  const work = async (ws: Workspace): Promise<Omit<InitResult, 'done'>> => {
    const proposal = await proposeConfig(ws)
    const { action, why, isTrusted } = proposal
    if (why !== null) ws.warnings.push(why)
    if (why !== null) return { config: { action, committed: false, trusted: isTrusted }, checks: null }
    const committing = whyNotCommit(ws)
    if (action !== 'none') {
      print(renderProposal(proposal, context.display))
      if (!agrees('Write this?')) {
        print(['Nothing was written.'])
        return { config: { action: 'none', committed: false, trusted: false }, checks: null }
      }
      writeConfig(ws, proposal)
    }
    await writeSchema(ws)
    print([`gza.yaml is ${STATES[action]}`])
    const committed = commit(
      ws,
      { ...committing, isNeeded: committing.isNeeded || action !== 'none' },
      { print, agrees },
    )
    const started = () => print(['Running the checks once in a fresh worktree…'])
    const check = await checkBaseOnce(ws, { cancel: stop.stop, started })
    print(renderFirstCheck(check, clientToInstall(ws, await loadConfiguration(ws)), context.display))
    const checks = check === null || 'why' in check ? null : check
    return { config: { action, committed, trusted: isTrusted }, checks }
  }
  try {
    return await inWorkspace(context, flags, work, { runsOnce: true, spansLedgers: true })
  } finally {
    stop.release()
  }
}

const STATES: Record<ConfigProposal['action'], string> = {
  create: 'written and trusted',
  add: 'extended',
  none: 'already there; nothing in it was changed',
}

interface Talk {
  print: (lines: Iterable<string>) => void
  agrees: (question: string) => boolean
}

/** An untracked gza.yaml would make `git tasks run` refuse, and other clones would not have it. */
function commit(ws: Workspace, { isNeeded, why }: ReturnType<typeof whyNotCommit>, { print, agrees }: Talk): boolean {
  if (!isNeeded) return false
  const refused = why ?? (agrees('Commit gza.yaml?') ? commitConfig(ws) : 'you did not agree')
  print([refused === null ? 'gza.yaml is committed' : `gza.yaml is not committed: ${refused}`])
  return refused === null
}
