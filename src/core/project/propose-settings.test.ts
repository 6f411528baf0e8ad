import { expect, test } from 'bun:test'
import { missingSections, proposalText } from './proposal-text.ts'
import { type Proposal, proposeSettings } from './propose-settings.ts'

type Files = Record<string, string | object>

function propose(files: Files, more: { ignored?: string[]; clients?: string[] } = {}): Proposal {
  const texts = Object.entries(files).map(
    ([path, text]) => [path, typeof text === 'string' ? text : JSON.stringify(text)] as const,
  )
  return proposeSettings({ paths: Object.keys(files), texts: new Map(texts), ignored: [], clients: [], ...more })
}

const NPM = { scripts: { test: 'vitest' }, devDependencies: { vitest: '1' } }
const PLACEHOLDER = 'echo "Error: no test specified" && exit 1'

/** What is proposed for each project: set-up, check, check of single files. */
const PROJECTS: [string, Files, [string | null, string | null, string | null]][] = [
  ['npm', { 'package.json': NPM, 'package-lock.json': '' }, ['npm ci', 'npm test', 'npx vitest run']],
  [
    'pnpm',
    { 'package.json': NPM, 'pnpm-lock.yaml': '' },
    ['pnpm i --frozen-lockfile', 'pnpm test', 'pnpm exec vitest run'],
  ],
  [
    'yarn 1',
    { 'package.json': NPM, 'yarn.lock': '# yarn lockfile v1' },
    ['yarn install --frozen-lockfile', 'yarn test', 'yarn vitest run'],
  ],
  [
    'yarn 4',
    { 'package.json': NPM, 'yarn.lock': '__metadata:\n  version: 8' },
    ['yarn install --immutable', 'yarn test', 'yarn vitest run'],
  ],
  [
    'bun',
    { 'package.json': { scripts: { test: 'bun test' }, devDependencies: { a: '1' } }, 'bun.lock': '' },
    ['bun install --frozen-lockfile', 'bun run test', 'bun test'],
  ],
  [
    'no lock file',
    { 'package.json': { ...NPM, packageManager: 'pnpm@9.0.0' } },
    ['pnpm install', 'pnpm test', 'pnpm exec vitest run'],
  ],
  [
    'no packages',
    { 'package.json': { scripts: { test: 'node --import tsx --test' } } },
    [null, 'npm test', 'node --import tsx --test'],
  ],
  [
    'a placeholder',
    { 'package.json': { scripts: { test: PLACEHOLDER } }, 'package-lock.json': '' },
    ['npm ci', null, null],
  ],
  [
    'a placeholder and a runner',
    { 'package.json': { scripts: { test: PLACEHOLDER }, devDependencies: { jest: '1' } }, 'package-lock.json': '' },
    ['npm ci', 'npx jest', 'npx jest --runTestsByPath'],
  ],
  [
    'only a build',
    { 'package.json': { scripts: { build: 'tsc' }, devDependencies: { typescript: '1' } }, 'package-lock.json': '' },
    ['npm ci', 'npm run build', null],
  ],
  [
    'a watching script',
    { 'package.json': { scripts: { test: 'react-scripts test' }, dependencies: { a: '1' } }, 'package-lock.json': '' },
    ['npm ci', 'CI=true npm test', null],
  ],
  ['a package.json that is broken', { 'package.json': '{', 'package-lock.json': '' }, ['npm ci', null, null]],
  [
    'npm workspaces',
    { 'package.json': { workspaces: ['a'] }, 'package-lock.json': '' },
    ['npm ci', 'npm run test --workspaces --if-present', null],
  ],
  [
    'turbo',
    { 'package.json': { workspaces: ['a'], devDependencies: { turbo: '2' } }, 'turbo.json': '', 'pnpm-lock.yaml': '' },
    ['pnpm i --frozen-lockfile', 'pnpm exec turbo run test', null],
  ],
  [
    'uv',
    { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n', 'uv.lock': '' },
    ['uv sync', 'uv run pytest', 'uv run pytest'],
  ],
  [
    'poetry',
    { 'pyproject.toml': '[tool.poetry]\n[tool.pytest.ini_options]\n', 'poetry.lock': '' },
    ['poetry install', 'poetry run pytest', 'poetry run pytest'],
  ],
  ['tests alone', { 'calc.py': '', 'test_calc.py': '' }, [null, 'python3 -m pytest', 'python3 -m pytest']],
  ['tests beside a Makefile', { Makefile: 'test:\n\ttrue\n', 'tests/test_a.py': '' }, [null, 'make test', null]],
  ['pytest.ini alone', { 'pytest.ini': '[pytest]\n' }, [null, 'python3 -m pytest', 'python3 -m pytest']],
  [
    'requirements',
    { 'requirements.txt': 'flask\n', 'tests/test_a.py': '' },
    [
      'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt pytest',
      '.venv/bin/python -m pytest',
      '.venv/bin/python -m pytest',
    ],
  ],
  [
    'a package with extras',
    { 'pyproject.toml': "[project]\n[project.optional-dependencies]\ntest = ['pytest']\n", 'tests/conftest.py': '' },
    [
      "python3 -m venv .venv && .venv/bin/pip install -e '.[test]'",
      '.venv/bin/python -m pytest',
      '.venv/bin/python -m pytest',
    ],
  ],
  ['tox', { 'tox.ini': '[tox]\n' }, [null, 'python3 -m tox', null]],
  [
    'django',
    { 'requirements.txt': 'django\n', 'manage.py': '' },
    ['python3 -m venv .venv && .venv/bin/pip install -r requirements.txt', '.venv/bin/python manage.py test', null],
  ],
  ['go', { 'go.mod': '' }, [null, 'go test ./...', null]],
  ['rust', { 'Cargo.toml': '' }, [null, 'cargo test', null]],
  ['make', { Makefile: 'CHECK := x\ntest: build\n\tprove\n' }, [null, 'make test', null]],
  ['make without tests', { Makefile: 'test := 1\nall:\n' }, [null, null, null]],
  ['just', { justfile: 'test *args:\n  cargo test\n' }, [null, 'just test', null]],
  ['gradle', { 'build.gradle.kts': '', gradlew: '' }, [null, './gradlew test', null]],
  ['maven', { 'pom.xml': '', mvnw: '' }, [null, './mvnw -B test', null]],
  ['mix', { 'mix.exs': '' }, ['mix deps.get', 'mix test', 'mix test']],
  ['dotnet', { 'App.sln': '' }, ['dotnet restore', 'dotnet test', null]],
  ['rspec', { Gemfile: '', 'spec/a_spec.rb': '' }, ['bundle install', 'bundle exec rspec', 'bundle exec rspec']],
  ['rake', { Gemfile: '', Rakefile: 'Rake::TestTask.new' }, ['bundle install', 'bundle exec rake test', null]],
  ['rails', { Gemfile: '', 'bin/rails': '' }, ['bundle install', 'bin/rails test', 'bin/rails test']],
  [
    'composer',
    { 'composer.json': { 'require-dev': { 'phpunit/phpunit': '11' } } },
    ['composer install --no-interaction', 'vendor/bin/phpunit', null],
  ],
  [
    'a script of composer',
    { 'composer.json': { scripts: { test: ['a', 'b'] } } },
    ['composer install --no-interaction', 'composer test', null],
  ],
  ['deno', { 'deno.json': '{"tasks": {"test": "deno test -A"}}' }, [null, 'deno task test', 'deno test']],
  [
    'flutter',
    { 'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n' },
    ['flutter pub get', 'flutter test', 'flutter test'],
  ],
  [
    'two languages',
    { 'package.json': NPM, 'package-lock.json': '', 'go.mod': '' },
    ['npm ci', 'npm test && go test ./...', null],
  ],
  [
    'two languages with a Makefile',
    { 'package.json': NPM, 'package-lock.json': '', 'go.mod': '', Makefile: 'test:\n' },
    ['npm ci', 'make test', null],
  ],
  ['one language with a Makefile', { 'go.mod': '', Makefile: 'test:\n' }, [null, 'go test ./...', null]],
  [
    'folders',
    { 'web app/package.json': NPM, 'web app/package-lock.json': '', 'api/go.mod': '' },
    ["(cd 'web app' && npm ci)", "(cd api && go test ./...) && (cd 'web app' && npm test)", null],
  ],
  ['nothing', { 'README.md': '' }, [null, null, null]],
]

test.each(PROJECTS)('a project with %s', (_, files, expected) => {
  const { setup, command, testCommand } = propose(files)
  expect([setup, command, testCommand]).toEqual(expected)
})

test('files with keys are copied, the first client works, and containers keep tasks apart', () => {
  const about = { ignored: ['.env', 'web/.env.local', 'node_modules/', 'environment'], clients: ['codex', 'gemini'] }
  expect(propose({ 'go.mod': '' }, about)).toMatchObject({
    agent: 'codex',
    copy: ['.env*'],
    copied: ['.env', 'web/.env.local'],
    workers: 3,
  })
  expect(propose({ 'go.mod': '', 'compose.yaml': '' })).toMatchObject({ workers: 1, shared: 'compose.yaml' })
})

test('commands that YAML would read otherwise are in quotes, and sections are added only if they are missing', () => {
  const files = { 'pyproject.toml': "[project]\n[project.optional-dependencies]\ntest = ['pytest']\n" }
  const text = proposalText(propose(files))
  expect(text).toContain(`  setup: "python3 -m venv .venv && .venv/bin/pip install -e '.[test]'"\n`)
  const proposal = propose({ 'package.json': NPM, 'package-lock.json': '' })
  expect(missingSections(proposal, ['verify', 'worktree'])).toBe('')
  expect(missingSections(proposal, ['verify'])).toMatch(/^\n# Each .*\nworktree:\n {2}# .*\n {2}setup: npm ci\n$/)
  expect(missingSections(propose({ 'go.mod': '' }), ['verify'])).toBe('')
})
