import { clientConfiguration } from '../run/client-configuration.ts'

/**
 * The files that decide what runs unattended: gza's own configuration and prompts, hooks, CI configuration, and what
 * makes git, a client or an editor run something when it opens the repository. An agent that could land a change to
 * them would write the rules by which it is checked.
 */
export interface ChangedFile {
  path: string
  /** A repository inside the repository, as git's own entry for it (a submodule). Its configuration can run things. */
  isNested: boolean
}

export function guardedFiles(files: readonly ChangedFile[], hooksFolder: string | null): string[] {
  return files.flatMap(({ path, isNested }) => (isNested || isGuarded(path, hooksFolder) ? [path] : []))
}

function isGuarded(path: string, hooksFolder: string | null): boolean {
  // On some file systems GZA.yaml is the same file as gza.yaml.
  const name = path.toLowerCase()
  if (hooksFolder !== null && name.startsWith(`${hooksFolder.toLowerCase()}/`)) return true
  if (FOLDERS.some((folder) => name.startsWith(`${folder}/`)) || FILES.test(name)) return true
  return ANYWHERE.has(name.slice(name.lastIndexOf('/') + 1)) || clientConfiguration(path) !== null
}

const FOLDERS = [
  ...['.gza', '.githooks', '.husky', '.lefthook', '.github', '.gitlab', '.gitea', '.forgejo', '.ci', '.circleci'],
  ...['.buildkite', '.woodpecker', '.tekton', '.semaphore', '.azure-pipelines', '.teamcity', '.devcontainer'],
]

/** Git, git-lfs and shells read these in every folder. The third one says where git-lfs fetches and pushes. */
const ANYWHERE: ReadonlySet<string> = new Set(['.gitattributes', '.gitmodules', '.lfsconfig', '.envrc'])

const FILES = new RegExp(
  `^(?:${[
    ...['gza\\.ya?ml', '\\.project-config\\.json', '\\.pre-commit-config\\.ya?ml', '\\.?lefthook(?:-local)?\\.[a-z]+'],
    ...['\\.overcommit\\.ya?ml', '\\.lintstagedrc(?:\\.[a-z]+)?', 'lint-staged\\.config\\.[a-z]+'],
    ...['\\.vscode/(?:tasks|launch|settings|mcp)\\.json', '\\.devcontainer\\.json', '\\.aider\\.conf\\.ya?ml'],
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
