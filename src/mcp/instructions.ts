/** What a client tells its model about the server. At most 120 words, because every session has them. */
export const INSTRUCTIONS = `gza keeps this repository's tasks in git. Use these tools instead of a todo list of your own.
Begin with context. To work: claim (without ref: the most urgent task), do it, commit, then done with a note of what the next agent must know. A claim lasts while you are connected; release gives it back.
Found more work? add files it, several tasks at once. Learnt something? note. Need a decision? note with ask, then take another task.
Tasks do not change once they are filed. Only people edit, delete, run, merge or sync.
An error names the call that helps.`

export const PROMPT = {
  name: 'work_queue',
  title: 'Work the queue',
  description: 'Take the most urgent task, finish it, and continue with the next one',
}

const WORK_QUEUE = `Work the queue of this repository with gza's tools:
1. Call claim without ref. If nothing is ready, say so and stop.
2. Call show for the task, and read what it depends on.
3. Do exactly what it asks for. Meet its acceptance criteria and run the project's checks.
4. Commit your work, then call done with a note.
5. If you cannot finish it: if a person has to decide, call note with ask; otherwise call note with what you found, then release.
6. Begin again at 1.`

export function promptMessages() {
  return {
    description: PROMPT.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: WORK_QUEUE } }],
  }
}
