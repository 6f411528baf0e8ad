/** What a client's sessions begin with: in a file that its model reads, or before the output of its session hook. */
export const AGENT_GUIDE = `## Tasks

The tasks of this repository are kept in git by gza: use it instead of a todo list of your own. Begin every session with
\`gza context\`: it prints where the work stands and what to do next. \`gza claim ID\` takes a task, \`gza note ID "…"\` leaves
what was learnt, \`gza done ID\` closes it. Only people edit, delete, run, merge and sync.
`
