/**
 * The files that decide what runs unattended: gza's own configuration and prompts, hooks, and CI configuration. An
 * agent that could land a change to them would write the rules by which it is checked.
 */
export function guardedFiles(paths: readonly string[], hooksFolder: string | null): string[] {
  return paths.filter((path) => isGuarded(path, hooksFolder))
}

function isGuarded(path: string, hooksFolder: string | null): boolean {
  // On some file systems GZA.yaml is the same file as gza.yaml.
  const name = path.toLowerCase()
  if (hooksFolder !== null && name.startsWith(`${hooksFolder.toLowerCase()}/`)) return true
  return FOLDERS.some((folder) => name.startsWith(`${folder}/`)) || FILES.test(name)
}

const FOLDERS = [
  ...['.gza', '.githooks', '.husky', '.lefthook', '.github', '.gitlab', '.gitea', '.forgejo', '.ci', '.circleci'],
  ...['.buildkite', '.woodpecker', '.tekton', '.semaphore', '.azure-pipelines', '.teamcity'],
]

const FILES = new RegExp(
  `^(?:${[
    ...['gza\\.ya?ml', '\\.project-config\\.json', '\\.pre-commit-config\\.ya?ml', '\\.?lefthook(?:-local)?\\.[a-z]+'],
    ...['\\.gitlab-ci\\.ya?ml', '\\.travis\\.ya?ml', '\\.drone\\.(?:ya?ml|star|jsonnet)', '\\.woodpecker\\.ya?ml'],
    ...[
      '\\.?appveyor\\.ya?ml',
      'azure-pipelines[^/]*\\.ya?ml',
      'bitbucket-pipelines\\.ya?ml',
      '\\.cirrus\\.(?:ya?ml|star)',
    ],
    ...['cloudbuild\\.(?:ya?ml|json)', 'buildspec\\.ya?ml', '(?:.*/)?jenkinsfile(?:\\.[^/]*)?'],
  ].join('|')})$`,
)
