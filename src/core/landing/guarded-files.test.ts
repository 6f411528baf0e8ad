import { expect, test } from 'bun:test'
import { guardedFiles } from './guarded-files.ts'

test('configuration, hooks and CI are guarded, wherever each tool looks for them', () => {
  const guarded = [
    ...['gza.yaml', '.project-config.json', '.gza/prompts/task.md', '.githooks/pre-commit', '.husky/pre-push'],
    ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', 'ci/Jenkinsfile.release'],
    ...['.pre-commit-config.yaml', 'azure-pipelines.yml', '.GitHub/workflows/x.yml', 'tools/hooks/pre-commit'],
  ]
  expect(guardedFiles(guarded, 'tools/hooks')).toEqual(guarded)
})

test('code is not guarded', () => {
  const free = ['src/gza.yaml', 'docs/.github.md', 'src/hooks/use-x.ts', 'Jenkinsfiles/readme', 'a/.travis.yml.md']
  expect(guardedFiles(free, null)).toEqual([])
})
