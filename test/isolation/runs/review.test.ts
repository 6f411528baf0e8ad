import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

/** The reviewer tries to change the work, its checkout and the repository, and asks for a change in the first round. */
const WORK_OR_REVIEW = `
case $prompt in
  "You are reviewing"*)
    (echo planted >planted.txt; git commit -q --allow-empty -m planted; git push -q "$beside/../repo" HEAD:refs/heads/main
      git -C "$beside/../repo" update-ref refs/heads/main HEAD) >>"$beside/attempts" 2>&1
    [ ! -e planted.txt ] || echo "its checkout was writable" >>"$beside/writable"
    file=$(grep -o -m1 '[^ \`]*reviews/[^ \`]*\\.md' <<<"$prompt" | head -1)
    verdict=APPROVED; [ -e "$beside/reviewed" ] || verdict=CHANGES_REQUESTED
    touch "$beside/reviewed"
    mkdir -p "$(dirname "$file")"
    printf '# Review\\n\\nRead it all, line by line.\\n\\n**Verdict: %s**\\n' "$verdict" >"$file" && echo "$file" >>"$beside/files"
    ;;
  *) commit "work-$(ls | wc -l).txt" "$call" ;;
esac`

const PLAN = `for part in one two three four; do echo "Step $part: change what has to be changed, and test it."; done
git -C "$beside/../repo" branch planted; git checkout -q -b mine && commit lost.txt lost`

for (const level of LEVELS) {
  test(`${level}: of a plan only the text is kept`, () => {
    const repo = anIsolatedRepo(level, { else: PLAN })
    repo.add('Plan it', '--type', 'plan')
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(repo.gza('show', '1', '--text').stdout).toContain('Step four')
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main')
    expectNothingLeft(repo)
  })

  test(`${level}: a task is reviewed, improved and reviewed again`, () => {
    const repo = anIsolatedRepo(level, { else: WORK_OR_REVIEW })
    repo.add('Reviewed', '--auto-review')
    const main = repo.git('rev-parse', 'main')
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    const { runs, branch } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'completed', isolation: level, review_cycle: 2 }])
    expect(repo.git('log', '--format=%s', `main..${branch}`).split('\n')).toHaveLength(2)
    expect(readFileSync(repo.beside('files'), 'utf8').trim().split('\n')).toHaveLength(2)
    expect(() => readFileSync(repo.beside('writable'))).toThrow()
    expect(repo.git('rev-parse', 'main')).toBe(main)
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })
}
