/** Which commands of one clone can be taken back or brought back, in which order. */

/** A commit that this clone made in its ledger. */
export interface OwnCommit {
  commit: string
  parents: readonly string[]
  subject: string
  /** The commit that it reverts. */
  undoes: string | null
  /** The ledger that it was made in, if that is another one: that of the branch's earlier name. */
  ledger?: string
}

/** A command, and the commit whose reversal takes it back, or brings it back. */
export interface GivenCommand {
  /** The audit line of the command, also if the commit is an undo or a redo of it. */
  command: string
  commit: OwnCommit
}

export interface UndoOrder {
  /** Commands in effect, the last one first. */
  done: GivenCommand[]
  /** Commands that were undone since the last new command, the next one to bring back first. */
  undone: GivenCommand[]
}

/** `commits`: all that this clone made, oldest first. An undo and a redo both revert an earlier commit. */
export function undoOrder(commits: readonly OwnCommit[]): UndoOrder {
  const done: GivenCommand[] = []
  let undone: GivenCommand[] = []
  for (const commit of commits) {
    const target = commit.undoes
    if (target === null) {
      if (!isCommand(commit)) continue
      done.unshift({ command: commit.subject, commit })
      undone = []
      continue
    }
    const takenBack = takeOut(done, target)
    if (takenBack !== undefined) undone.unshift({ command: takenBack.command, commit })
    const broughtBack = takenBack === undefined ? takeOut(undone, target) : undefined
    if (broughtBack !== undefined) done.unshift({ command: broughtBack.command, commit })
  }
  return { done, undone }
}

function takeOut(commands: GivenCommand[], target: string): GivenCommand | undefined {
  const at = commands.findIndex(({ commit }) => commit.commit === target)
  return at < 0 ? undefined : commands.splice(at, 1)[0]
}

/** Somebody meant this change. Facts of runs and landings, links to commits and joins record what happened. */
export function isCommand({ parents, subject }: Pick<OwnCommit, 'parents' | 'subject'>): boolean {
  return parents.length < 2 && !FACTS.test(subject)
}

const FACTS = new RegExp(
  `^(?:${[
    'start \\S+ attempt ',
    'end ',
    '(?:implement|review|improve) task-',
    'reopen \\S+: ',
    '(?:land|refuse|send back) ',
    '(?:claim|release) ',
    'link (?!\\S+ to )',
    'join ',
    'carry over ',
    'sync \\d+ tasks? with Linear',
  ].join('|')})`,
)
