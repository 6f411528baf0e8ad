import type { ProjectFolder, Toolchain } from './project-files.ts'

/** A Python project: its lock file decides who installs and runs, its files decide what is run. */
export function detectPython(folder: ProjectFolder): Toolchain | null {
  const seen = SIGNS.find((name) => folder.has(name))
  if (seen === undefined && !folder.hasLike(/^requirements.*\.txt$/)) return null
  const installer = installerOf(folder)
  const check = checkOf(folder)
  const command = check === null ? null : `${installer.run(check.program, check.args)}`
  return {
    seen: installer.seen ?? seen ?? 'requirements.txt',
    setup: installer.install(check?.program === 'pytest' && !namesPytest(folder)),
    command,
    testCommand: check?.program === 'pytest' ? command : null,
    notes:
      folder.has('tox.ini') && check?.program === 'pytest'
        ? ['There is a tox.ini too: tox checks every environment.']
        : [],
  }
}

const SIGNS = [
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'Pipfile',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'requirements.txt',
  'pytest.ini',
  '.pytest.ini',
  'conftest.py',
  'noxfile.py',
  'manage.py',
]

/** Code and tests without any manifest. pytest runs unittest's tests too, and fails if it finds none. */
export function detectLoosePython(folder: ProjectFolder): Toolchain[] {
  if (!folder.hasBelow(/^(?:tests?\/)?(?:test_[^/]*|[^/]*_test)\.py$/)) return []
  const command = inPython('python3', 'pytest', '')
  return [{ seen: 'test_*.py', setup: null, command, testCommand: command, notes: [] }]
}

interface Installer {
  seen?: string
  /** Null: there is nothing to install. */
  install: (addsPytest: boolean) => string | null
  run: (program: string, args: string) => string
}

function installerOf(folder: ProjectFolder): Installer {
  const through = (seen: string, install: string, prefix: string): Installer => ({
    seen,
    install: () => install,
    run: (program, args) => `${prefix} ${words(program, args)}`,
  })
  if (folder.has('uv.lock')) return through('uv.lock', 'uv sync', 'uv run')
  if (folder.has('poetry.lock')) return through('poetry.lock', 'poetry install', 'poetry run')
  if (folder.has('pdm.lock')) return through('pdm.lock', 'pdm install', 'pdm run')
  if (folder.has('Pipfile')) return through('Pipfile', 'pipenv install --dev', 'pipenv run')
  if (/^\[tool\.uv\b/m.test(folder.text('pyproject.toml'))) return through('pyproject.toml', 'uv sync', 'uv run')
  if (/^\[tool\.poetry\b/m.test(folder.text('pyproject.toml')))
    return through('pyproject.toml', 'poetry install', 'poetry run')
  return withVenv(folder)
}

/** Without a tool of its own, a project gets a virtual environment in the worktree. */
function withVenv(folder: ProjectFolder): Installer {
  const lists = ['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt', 'dev-requirements.txt']
  const files = lists.filter((name) => folder.has(name)).map((name) => `-r ${name}`)
  const isPackage = folder.has('setup.py') || /^\[(project|build-system)\]/m.test(folder.text('pyproject.toml'))
  const parts = [...files, ...(isPackage ? [`-e ${quoted(`.${extrasOf(folder)}`)}`] : [])]
  if (parts.length === 0) return { install: () => null, run: (program, args) => inPython('python3', program, args) }
  const pip = '.venv/bin/pip install'
  return {
    install: (addsPytest) =>
      `python3 -m venv .venv && ${pip} ${[...parts, ...(addsPytest ? ['pytest'] : [])].join(' ')}`,
    run: (program, args) => inPython('.venv/bin/python', program, args),
  }
}

function extrasOf(folder: ProjectFolder): string {
  const text = folder.text('pyproject.toml')
  const section = /^\[project\.optional-dependencies\]\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? ''
  const extras = ['dev', 'test', 'tests'].filter((name) => new RegExp(`^${name}\\s*=`, 'm').test(section))
  return extras.length === 0 ? '' : `[${extras.join(',')}]`
}

function quoted(word: string): string {
  return word.includes('[') ? `'${word}'` : word
}

function inPython(python: string, program: string, args: string): string {
  return program === 'python' ? words(python, args) : words(`${python} -m ${program}`, args)
}

function words(program: string, args: string): string {
  return args === '' ? program : `${program} ${args}`
}

function checkOf(folder: ProjectFolder): { program: string; args: string } | null {
  if (usesPytest(folder)) return { program: 'pytest', args: '' }
  if (folder.has('tox.ini') || /^\[tool\.tox\b/m.test(folder.text('pyproject.toml')))
    return { program: 'tox', args: '' }
  if (folder.has('noxfile.py')) return { program: 'nox', args: '' }
  if (folder.has('manage.py')) return { program: 'python', args: 'manage.py test' }
  if (folder.hasBelow(/(^|\/)(test_[^/]*|[^/]*_test)\.py$/)) return { program: 'pytest', args: '' }
  return null
}

function usesPytest(folder: ProjectFolder): boolean {
  if (['pytest.ini', '.pytest.ini', 'conftest.py'].some((name) => folder.has(name))) return true
  if (folder.hasBelow(/^tests?\/conftest\.py$/)) return true
  return (
    /^\[(tool:pytest|pytest)\]/m.test(folder.text('setup.cfg') + folder.text('tox.ini')) ||
    /^\[tool\.pytest\b/m.test(folder.text('pyproject.toml')) ||
    namesPytest(folder)
  )
}

function namesPytest(folder: ProjectFolder): boolean {
  const lists = [
    'pyproject.toml',
    'setup.cfg',
    'Pipfile',
    'requirements.txt',
    'requirements-dev.txt',
    'requirements-test.txt',
    'dev-requirements.txt',
  ]
  return lists.some((name) => /^\s*["']?pytest\b|["']pytest\b/m.test(folder.text(name)))
}
