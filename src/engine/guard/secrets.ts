import type { Env } from '../../platform/git/git.ts'

/**
 * What an agent does not get: the keys of trackers, forges, registries and databases, and the ways to a person's own
 * identity. Keys of model providers stay, or the client could not work; so does COPILOT_GITHUB_TOKEN, which is one.
 * docs/security.md carries this list.
 */
const SECRETS = new Set([
  ...['LINEAR_API_KEY', 'LINEAR_ACCESS_TOKEN', 'LINEAR_OAUTH_TOKEN', 'JIRA_API_TOKEN', 'ATLASSIAN_API_TOKEN'],
  ...['GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_PAT', 'GITHUB_ENTERPRISE_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_API_TOKEN'],
  ...['GITLAB_TOKEN', 'GITLAB_PRIVATE_TOKEN', 'GL_TOKEN', 'CI_JOB_TOKEN', 'GITEA_TOKEN', 'FORGEJO_TOKEN'],
  ...['BITBUCKET_TOKEN', 'BITBUCKET_APP_PASSWORD', 'AZURE_DEVOPS_EXT_PAT', 'SYSTEM_ACCESSTOKEN'],
  ...['NPM_TOKEN', 'NODE_AUTH_TOKEN', 'CARGO_REGISTRY_TOKEN', 'TWINE_PASSWORD', 'DOCKER_PASSWORD'],
  ...['DATABASE_URL', 'GZA_DATABASE_URL', 'POSTGRES_URL', 'POSTGRES_PASSWORD', 'MYSQL_PWD', 'MYSQL_PASSWORD'],
  ...['REDIS_URL', 'MONGODB_URI', 'MONGO_URL'],
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'SSH_ASKPASS', 'GIT_ASKPASS', 'GIT_SSH'],
])

/** libpq reads some thirty variables of this shape, PGPASSWORD and PGSERVICEFILE among them. */
const POSTGRES = /^PG[A-Z]+$/

/** Would run code inside gza's own executable, which is a Bun program. */
const RUNTIME = new Set(['BUN_OPTIONS', 'BUN_BE_BUN'])

/** A person's word to gza itself: an agent's own calls of gza must not take it for theirs. */
const FOR_GZA = new Set(['GZA_TRUST', 'GZA_CRASH_AT'])

/** The environment without secrets; `keep` names exceptions a person has made. */
export function withoutSecrets(env: Env, keep: readonly string[] = []): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name) || keep.includes(name)))
}

function isSecret(name: string): boolean {
  return SECRETS.has(name) || RUNTIME.has(name) || FOR_GZA.has(name) || POSTGRES.test(name)
}
