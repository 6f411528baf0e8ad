import { expect, test } from 'bun:test'
import { adviseOnBox, type BoxFacts } from './box-advice.ts'

const FILE = '/h/.config/gza/config.yaml'

function advise(output: string, facts: Partial<BoxFacts> = {}) {
  const isolation = { level: 'auto', allow: ['~/data'] } as const
  const folderFor = (path: string) => (path.startsWith('/srv/') ? '/srv/files' : null)
  return adviseOnBox(output, { isolation, hasNetwork: false, file: FILE, folderFor, ...facts })
}

test('each kind of failure has its entry, and the line keeps what is there already', () => {
  const outputs = {
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock': ['docker'],
    'Could not open a connection to your authentication agent.': ['ssh-agent'],
    'getaddrinfo EAI_AGAIN registry.example': ['network-for-checks'],
    'curl: (6) Could not resolve host: example.org': ['network-for-checks'],
    'Error: connect ENETUNREACH 1.1.1.1:443': ['network-for-checks'],
    "touch: cannot touch '/srv/files/x': Read-only file system": ['/srv/files'],
    "EACCES: permission denied, open '/srv/files/a/b'": ['/srv/files'],
    'sh: 1: cannot open /srv/files/b: No such file': ['/srv/files'],
    "FileNotFoundError: [Errno 2] No such file or directory: '/srv/files/c'": ['/srv/files'],
    'expected 3, got 4 in /srv/files/sum.test.ts': [],
  }
  for (const [output, allow] of Object.entries(outputs)) expect(advise(output).allow, output).toEqual(allow)
  expect(advise('docker.sock').advice).toBe(
    `It probably needs docker in isolation.allow, which opens it to agents too. Write into ${FILE}: isolation: {level: auto, allow: [~/data, docker]}`,
  )
})

test('what is open already is not advised', () => {
  expect(advise('ECONNREFUSED 10.0.0.1:5432', { hasNetwork: true }).allow).toEqual([])
  expect(advise('docker.sock', { isolation: { level: 'strict', allow: ['docker'] } }).allow).toEqual([])
})

test('privileges have no entry, and an output that tells nothing gets the list of entries', () => {
  expect(advise('sudo: The "no new privileges" flag is set').advice).toStartWith('sudo, setuid programs')
  expect(advise('1 failed').advice).toBe(
    `Something that it needs is closed there: gza doctor lists what does not work inside. isolation.allow opens docker, ssh-agent, network-for-checks, and folders by their path. For example, write into ${FILE}: isolation: {level: auto, allow: [~/data, docker]}`,
  )
})

test('a folder whose name YAML would read otherwise is quoted', () => {
  const { advice } = advise("cannot create '/srv/files/x': Permission denied", { folderFor: () => '/srv/my: files' })
  expect(advice).toEndWith('isolation: {level: auto, allow: [~/data, "/srv/my: files"]}')
})
