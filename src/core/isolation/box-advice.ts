/** A check that passes outside and fails in a box probably misses something there. Its output tells what. */
import { commandLine } from '../sentence.ts'
import { ALLOWANCES, type IsolationSettings } from './levels.ts'

export interface BoxAdvice {
  /** Entries of `isolation.allow` that probably help; empty: nothing in the output tells. */
  allow: string[]
  /** The person's own file. */
  file: string
  /** What to write there, as text. The line is at its end, without a full stop. */
  advice: string
}

export interface BoxFacts {
  isolation: IsolationSettings
  /** Whether checks reach the network. */
  hasNetwork: boolean
  /** The person's own file. */
  file: string
  /** The folder that a path needs, as the entry for it; null: no entry helps. `isMissing`: it was not found inside. */
  folderFor(path: string, isMissing: boolean): string | null
}

export function adviseOnBox(output: string, facts: BoxFacts): BoxAdvice {
  const { isolation, file } = facts
  const lines = output.split('\n')
  const named = NAMED.filter(({ entry, sign }) => sign.test(output) && !(facts.hasNetwork && entry === NETWORK))
  const found = [...named.map(({ entry }) => entry), ...lines.flatMap((line) => foldersIn(line, facts))]
  const allow = [...new Set(found)].filter((entry) => !isolation.allow.includes(entry)).slice(0, MOST)
  if (allow.length === 0 && PRIVILEGES.test(output)) return { allow, file, advice: NO_PRIVILEGES }
  const line = (entries: readonly string[]) =>
    `isolation: {level: ${isolation.level}, allow: [${[...isolation.allow, ...entries].map(yamlWord).join(', ')}]}`
  const advice =
    allow.length > 0
      ? `It probably needs ${allow.join(' and ')} in isolation.allow, which opens it to agents too. Write into ${file}: ${line(allow)}`
      : `Something that it needs is closed there: ${commandLine`doctor`} lists what does not work inside. isolation.allow opens ${POSSIBLE}. For example, write into ${file}: ${line(['docker'])}`
  return { allow, file, advice }
}

const MOST = 3
const NETWORK = 'network-for-checks'
const POSSIBLE = `${ALLOWANCES.join(', ')}, and folders by their path`

const NAMED: readonly { entry: (typeof ALLOWANCES)[number]; sign: RegExp }[] = [
  {
    entry: 'docker',
    sign: /docker daemon|docker\.sock|podman\.sock|containerd\.sock|could not find a (?:valid|working) (?:docker|container)/i,
  },
  {
    entry: 'ssh-agent',
    sign: /authentication agent|error connecting to agent|SSH_AUTH_SOCK|permission denied \(publickey/i,
  },
  {
    entry: NETWORK,
    sign: /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ECONNREFUSED)\b|could not resolve|name resolution|name or service not known|network is unreachable|no such host|connection refused|failed to connect|connection error/i,
  },
]

const PRIVILEGES = /\bsudo\b|no new privileges|\bsetuid\b|must be (?:run as )?root|operation not permitted/i
const NO_PRIVILEGES =
  'sudo, setuid programs and other privileges do not work in a box, and no setting opens them: change the check so that it needs none'

const MISSING = /no such file|\bENOENT\b|cannot find|not found|does not exist/i
const REFUSED = /read-only file ?system|\bEROFS\b|permission denied|\bEACCES\b|operation not permitted|\bEPERM\b/i

function foldersIn(line: string, { folderFor }: BoxFacts): string[] {
  const isRefused = REFUSED.test(line)
  if (!isRefused && !MISSING.test(line)) return []
  const paths = [...line.matchAll(/(?:^|[\s'"`‘“(=:[])(~?\/[^\s'"`’”():,\]]+)/g)].map(([, path = '']) => path)
  return paths.flatMap((path) => folderFor(path, !isRefused) ?? [])
}

function yamlWord(entry: string): string {
  return /^[\w~/.+-]+$/.test(entry) ? entry : JSON.stringify(entry)
}
