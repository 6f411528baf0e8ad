type Env = Record<string, string | undefined>

/**
 * What an agent does not get, and no program that gza's git runs in an agent's tree: the keys of trackers, forges,
 * registries and databases, and access to a person's identity. Keys of model providers stay, because the client needs
 * them; COPILOT_GITHUB_TOKEN is one of these. docs/security.md contains this list.
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

/** libpq reads about thirty variables of this form, for example PGPASSWORD and PGSERVICEFILE. */
const POSTGRES = /^PG[A-Z]+$/

/** These would run code inside gza's executable, which is a Bun program. */
const RUNTIME = new Set(['BUN_OPTIONS', 'BUN_BE_BUN'])

/** A person's settings for gza itself. They must not apply to an agent's calls of gza. */
const FOR_GZA = new Set(['GZA_TRUST', 'GZA_CRASH_AT'])

/** The environment without secrets. `keep` names the exceptions that a person has made. */
export function withoutSecrets(env: Env, keep: readonly string[] = []): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name) || keep.includes(name)))
}

function isSecret(name: string): boolean {
  return SECRETS.has(name) || RUNTIME.has(name) || FOR_GZA.has(name) || POSTGRES.test(name)
}
