/** The architectural layer of a file, determined by common names of folders and files. */
import { basename, dirname, extname } from 'node:path/posix'
import { wordsOf } from '../text/words.ts'

export const LAYERS = ['data', 'business', 'presentation', 'test'] as const
export type Layer = (typeof LAYERS)[number]

/** Null if no convention applies: such a file has the layer of its neighbours. */
export function layerOf(path: string): Layer | null {
  if (isTestFile(path)) return 'test'
  if (isDocument(path) || isSetting(path)) return null
  return LAYER_OF_WORD.get(decidingWord(path) ?? '') ?? EXTENSIONS.get(extname(path).toLowerCase()) ?? null
}

/** Layers in the order of building: what answers a request comes before what shows the answer. */
export const TIERS = ['data', 'business', 'api', 'ui', 'test'] as const
export type Tier = (typeof TIERS)[number]

export function tierOf(path: string): Tier | null {
  const layer = layerOf(path)
  if (layer !== 'presentation') return layer
  return API_WORDS.has(decidingWord(path) ?? '') ? 'api' : 'ui'
}

export function isTestFile(path: string): boolean {
  return foldersOf(path).some((folder) => TEST_FOLDERS.has(folder)) || testedStem(path) !== null
}

/** It connects the others, like the entry file of a program. */
export function isWiring(path: string): boolean {
  return (
    /^(?:_?app|main|cli|server|urls|routes|program|startup|bootstrap)\.\w+$/i.test(basename(path)) &&
    !isTestFile(path) &&
    !isSetting(path)
  )
}

export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|rst|adoc|txt)$/i.test(path) && !isManifest(path)
}

/** Declarative files have no layers: in them a network comes before the database. */
function isSetting(path: string): boolean {
  return /\.(?:tf|tfvars|ya?ml|toml|ini)$/i.test(path)
}

/** It declares what the others are built with. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(basename(path))
}

const MANIFEST =
  /^(?:package(?:-lock)?\.json|gemfile(?:\.lock)?|go\.(?:mod|sum)|cargo\.(?:toml|lock)|pyproject\.toml|requirements.*\.txt|pom\.xml|build\.gradle(?:\.kts)?)$/i

/** `user` for user.test.ts, test_user.py, user_test.go and UserTest.java; null for a file that is not a test. */
export function testedStem(path: string): string | null {
  const name = basename(path, extname(path))
  const found =
    /^(?<stem>.+)[._-](?:test|tests|spec|e2e|stories)$/i.exec(name) ??
    /^tests?_(?<stem>.+)$/.exec(name) ??
    /^(?<stem>.+[a-z\d])(?:Test|Tests|Spec|IT)$/.exec(name)
  return found?.groups?.stem?.toLowerCase() ?? (/^conftest$/.test(name) ? '' : null)
}

function foldersOf(path: string): string[] {
  return dirname(path).toLowerCase().split('/')
}

/**
 * The word that decides: from the folder nearest to the file, because `app/models/services` contains services,
 * otherwise from its name.
 */
function decidingWord(path: string): string | null {
  const folders = foldersOf(path)
    .map((folder) => folder.replace(/[-_ ]/g, ''))
    .reverse()
  // `user.service.ts`, `UserRepository.java`: the end of a name decides.
  const name = wordsOf(basename(path, extname(path))).reverse()
  const named = name.filter((word) => !WEAK_NAMES.has(word)).flatMap((word) => [word, `${word}s`])
  const words = [...folders, ...named]
  return words.find((word) => LAYER_OF_WORD.has(word)) ?? null
}

/** Folders with these names have a layer, but files of any layer can have them: `extract/api.py` calls an API. */
const WEAK_NAMES = new Set('api client web store data core lib public'.split(' '))

const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'e2e', 'cypress', 'testing', '__mocks__'])

const FOLDERS: Record<Layer, readonly string[]> = {
  data: [
    ...[
      'data',
      'database',
      'db',
      'model',
      'models',
      'entity',
      'entities',
      'schema',
      'schemas',
      'migration',
      'migrations',
    ],
    ...[
      'repository',
      'repositories',
      'dao',
      'persistence',
      'storage',
      'store',
      'stores',
      'sql',
      'prisma',
      'orm',
      'seeds',
    ],
  ],
  business: [
    ...[
      'service',
      'services',
      'domain',
      'core',
      'business',
      'usecase',
      'usecases',
      'logic',
      'engine',
      'lib',
      'policies',
    ],
    ...['rules', 'worker', 'workers', 'job', 'jobs', 'middleware', 'validator', 'validators', 'workflow', 'workflows'],
  ],
  presentation: [
    ...[
      'view',
      'views',
      'component',
      'components',
      'page',
      'pages',
      'ui',
      'screen',
      'screens',
      'template',
      'templates',
    ],
    ...[
      'controller',
      'controllers',
      'route',
      'routes',
      'router',
      'api',
      'handlers',
      'web',
      'frontend',
      'client',
      'cli',
    ],
    ...[
      'layout',
      'layouts',
      'widget',
      'widgets',
      'style',
      'styles',
      'css',
      'public',
      'graphql',
      'resolvers',
      'presentation',
    ],
    ...['hooks', 'forms', 'serializers'],
  ],
  test: ['test', 'tests', 'spec'],
}

const API_WORDS = new Set(
  'controller controllers route routes router api handlers graphql resolvers serializers'.split(' '),
)

const LAYER_OF_WORD = new Map(LAYERS.flatMap((layer) => FOLDERS[layer].map((word) => [word, layer] as const)))

const EXTENSIONS = new Map<string, Layer>([
  ...['.sql', '.prisma'].map((extension) => [extension, 'data'] as const),
  ...['.tsx', '.jsx', '.vue', '.svelte', '.css', '.scss', '.html', '.erb', '.hbs'].map(
    (extension) => [extension, 'presentation'] as const,
  ),
])
