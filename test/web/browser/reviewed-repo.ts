import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

/** Work that waits for a review: changed, renamed, binary and hostile files, and one with very many lines. */
export function aRepoToReview(): AgentRepo {
  const lines = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}`)
  const work = [
    "sed -i 's/^line 5$/line five/' src/a.ts",
    'git mv src/old.ts src/new.ts',
    'chmod +x run.sh',
    'printf "no newline" > src/end.txt',
    'printf "\\0\\1\\2" > picture.bin',
    'printf "plain \\033[31mred\\033[0m\\n" > "src/$(printf \'odd\\nname\\033.ts\')"',
    'seq 1 3000 > big.txt',
    'git add -A && git commit -qm "Do the work"',
  ].join('\n')
  const repo = anAgentRepo(
    { 'Improve*': "sed -i 's/^line five$/line 5, as asked/' src/a.ts; git commit -qam 'Improve it'", else: work },
    {
      files: {
        'src/a.ts': `${lines(20, 'line').join('\n')}\n`,
        'src/old.ts': `${lines(20, 'old').join('\n')}\n`,
        'run.sh': 'echo\n',
      },
    },
  )
  repo.add('Change the lines', '--files-to-modify', 'src/a.ts,src/new.ts')
  repo.gza('work', '1')
  return repo
}
