import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

/** A repository in which agents have worked: something landed, failed, asked, waits to land, and waits. */
export function aWorkedRepo(): AgentRepo {
  const commit = 'echo "$RANDOM" > "work-$$.txt" && git add -A && git commit -qm "Add a file"'
  const repo = anAgentRepo({
    'Choose*': 'gza note 3 "blocked: Red or blue?"',
    'Break*': 'echo "cannot do this" >&2; exit 3',
    'Take*': 'echo "thinking about it"; for i in $(seq 600); do sleep 0.1; done',
    else: commit,
  })
  repo.add('Add the first file', '--group', 'files')
  repo.add('Add the second file', '--group', 'files', '--after', '1')
  repo.add('Choose a colour', '--priority', 'high')
  repo.add('Break it', '--max-attempts', '1')
  repo.gza('work', '1')
  repo.gza('merge', '1')
  repo.gza('work', '2')
  repo.gza('work', '3')
  repo.gza('work', '4')
  repo.add('Write the <script>alert(1)</script> parser', '--accept', 'It parses', '--priority', 'critical')
  repo.add('Use the parser', '--after', '5')
  repo.add('Take long')
  return repo
}
