import { command, type Sentence, sentence } from '../../core/sentence.ts'

/** What a word of other tools is called here. The command is named, and not run. */
export function meantBy(word: string): Sentence | null {
  return MEANINGS.find(({ words }) => words.split(' ').includes(word))?.say() ?? null
}

/** All words, for a test: none of them may be a command. */
export function otherWords(): string[] {
  return MEANINGS.flatMap(({ words }) => words.split(' '))
}

const MEANINGS: readonly { words: string; say: () => Sentence }[] = [
  { words: 'create new file', say: () => sentence`A task is filed with ${command`add "…"`}` },
  { words: 'rm remove del', say: () => sentence`People delete a task with ${command`delete ID`}` },
  { words: 'close closed finish complete completed', say: () => sentence`A task is closed with ${command`done ID`}` },
  { words: 'update modify change rename set', say: () => sentence`People change a task with ${command`edit ID`}` },
  { words: 'reopen', say: () => sentence`People open a closed task again with ${command`edit ID --reopen`}` },
  { words: 'comment', say: () => sentence`A note is added with ${command`note ID "…"`}` },
  {
    words: 'start begin',
    say: () =>
      sentence`To do a task yourself: ${command`claim ID`}. To let an agent do it: ${command`work ID`}. To start an item of TODO.md: ${command`todo start N`}`,
  },
  {
    words: 'run-all work-all',
    say: () => sentence`All tasks that are ready are worked on with ${command`work --all`}`,
  },
  {
    words: 'stop cancel abort',
    say: () => sentence`A run is ended with ${command`kill ID`}; ${command`ps`} lists them`,
  },
  { words: 'land ship', say: () => sentence`Finished work lands with ${command`merge ID`}` },
  { words: 'cost costs usage spend', say: () => sentence`Cost and tokens: ${command`stats`}` },
  { words: 'ls tasks', say: () => sentence`Tasks are listed with ${command`list`}` },
  { words: 'view get info describe cat', say: () => sentence`A task is shown with ${command`show ID`}` },
  { words: 'open', say: () => sentence`Open tasks: ${command`list`}. One task: ${command`show ID`}` },
  {
    words: 'blocked deps dependencies',
    say: () => sentence`What waits for what: ${command`graph`}, ${command`why ID`}`,
  },
  { words: 'block', say: () => sentence`An agent reports a problem with ${command`note ID "blocked: …"`}` },
  { words: 'history', say: () => sentence`The changes of a task: ${command`log ID`}` },
  { words: 'push pull fetch', say: () => sentence`Tasks are exchanged with a remote with ${command`sync`}` },
]
