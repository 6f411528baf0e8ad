import { basename, extname } from 'node:path/posix'

/**
 * Files that nobody wants to commit. A false alarm costs a person a look into the inbox; a missed secret costs a key.
 * So names and tokens that are meant as examples pass, and everything else that looks like a secret counts as one.
 */

/** Why a new file with that name probably contains secrets; null if it does not. */
export function secretByName(path: string): string | null {
  const name = basename(path).toLowerCase()
  if (EXAMPLE.test(name)) return null
  const rule = NAMES.find(({ isSecret }) => isSecret(name, path.toLowerCase()))
  return rule?.why ?? null
}

/** Why a file with that text probably contains secrets; null if it does not. */
export function secretByContent(text: string): string | null {
  for (const { why, pattern } of CONTENTS) {
    for (const [token] of text.matchAll(pattern)) {
      if (!isPlaceholder(token)) return why
    }
  }
  return null
}

const EXAMPLE = /(^|[.\-_])(example|sample|template|dist|defaults)([.\-_]|$)/

interface NameRule {
  why: string
  isSecret(name: string, path: string): boolean
}

const NAMES: NameRule[] = [
  { why: 'environment file', isSecret: (name) => /^\.env(\..+)?$|^[^.]+\.env$/.test(name) },
  { why: 'private key', isSecret: (name) => /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/.test(name) },
  { why: 'key or certificate', isSecret: (name) => KEY_TYPES.has(extname(name)) },
  { why: 'credentials', isSecret: (name) => /^\.?(credentials|secrets?)/.test(name) && isData(name) },
  { why: 'credentials', isSecret: (name) => CREDENTIAL_FILES.has(name) },
  { why: 'credentials', isSecret: (name) => /^service[-_]?account.*\.json$|\.tfstate(\.backup)?$/.test(name) },
  { why: 'credentials', isSecret: (_, path) => CREDENTIAL_PATHS.some((end) => `/${path}`.endsWith(end)) },
]

const KEY_TYPES = new Set(['.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk', '.ovpn'])
const CREDENTIAL_FILES = new Set([
  ...['.netrc', '_netrc', '.pgpass', '.pypirc', '.git-credentials', '.htpasswd', '.dockercfg', '.vault-token'],
  ...['kubeconfig', '.my.cnf'],
])
const CREDENTIAL_PATHS = ['/.aws/credentials', '/.kube/config', '/.docker/config.json', '/.ssh/config']

/**
 * `credentials.json`, but neither `credentials.ts` nor `credentials/index.ts`: programs read secrets, data contains
 * them.
 */
function isData(name: string): boolean {
  return ['', '.json', '.yml', '.yaml', '.toml', '.ini', '.csv', '.txt', '.xml', '.env', '.db', '.conf'].includes(
    extname(name.replace(/^\./, '')),
  )
}

const KEY_KIND = '(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?'
/** Also as written in a string of a program or of JSON. */
const LINE_END = '(?:[\\r\\n]|\\\\r|\\\\n){1,4}'
const KEY_HEADERS = '(?:[\\w-]{1,40}: [^\\r\\n]{0,200}[\\r\\n]{1,4}){0,4}'

// Every repetition has an upper bound: otherwise 5 MB of the wrong text take minutes.
const CONTENTS: { why: string; pattern: RegExp }[] = [
  {
    why: 'private key',
    // With the beginning of the key itself: a program that searches for such a line does not match.
    pattern: new RegExp(`-----BEGIN ${KEY_KIND}-----${LINE_END}${KEY_HEADERS}[A-Za-z0-9+/=]{32}`, 'g'),
  },
  { why: 'age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g },
  { why: 'AWS key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { why: 'Azure storage key', pattern: /\bAccountKey=[A-Za-z0-9+/]{86}==/g },
  { why: 'Google key', pattern: /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g },
  { why: 'GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{36,200}\b|\bgithub_pat_[A-Za-z0-9_]{60,200}\b/g },
  { why: 'GitLab token', pattern: /\bglpat-[\w-]{20,200}/g },
  { why: 'Slack token', pattern: /\bxox[abprs]-\d{8,200}-[\w-]{10,200}/g },
  { why: 'Stripe key', pattern: /\b[sr]k_live_[0-9A-Za-z]{24,200}/g },
  { why: 'Anthropic key', pattern: /\bsk-ant-[a-z0-9]{1,20}-[\w-]{40,200}/g },
  { why: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-)?(?=[\w-]{0,200}\d)[\w-]{40,200}/g },
  { why: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { why: 'PyPI token', pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,200}/g },
  { why: 'SendGrid key', pattern: /\bSG\.[\w-]{22}\.[\w-]{43}/g },
  { why: 'Linear key', pattern: /\blin_api_[A-Za-z0-9]{40}\b/g },
  { why: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
]

/** Vendors mark their own examples; `ghp_xxxxxxxx…` has few different letters. */
function isPlaceholder(token: string): boolean {
  const own = token.slice(-24)
  return /EXAMPLE/i.test(token) || new Set(own).size < 6
}
