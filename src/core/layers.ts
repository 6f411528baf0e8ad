/** Which architectural layer a file belongs to, told by the names people give folders and files. */
import { basename, dirname, extname } from 'node:path/posix'

export const LAYERS = ['data', 'business', 'presentation', 'test'] as const
export type Layer = (typeof LAYERS)[number]

/** Null where no convention speaks: such a file is of the layer of its neighbours. */
export function layerOf(path: string): Layer | null {
  if (isTestFile(path)) return 'test'
  return layerOfFolders(path) ?? layerOfName(path) ?? EXTENSIONS.get(extname(path).toLowerCase()) ?? null
}

export function isTestFile(path: string): boolean {
  return foldersOf(path).some((folder) => TEST_FOLDERS.has(folder)) || testedStem(path) !== null
}

/** `user` for user.test.ts, test_user.py, user_test.go and UserTest.java; null for a file that tests nothing. */
export function testedStem(path: string): string | null {
  const name = basename(path, extname(path))
  const found =
    /^(?<stem>.+)[._-](?:test|tests|spec|e2e|stories)$/i.exec(name) ??
    /^tests?_(?<stem>.+)$/.exec(name) ??
    /^(?<stem>.+[a-z\d])(?:Test|Tests|Spec|IT)$/.exec(name)
  return found?.groups?.stem?.toLowerCase() ?? (/^conftest$/.test(name) ? '' : null)
}

/** What a text speaks of when it means a layer, beside the names of folders. */
export function layerWords(layer: Layer): readonly string[] {
  return [...FOLDERS[layer], ...SPOKEN[layer]]
}

/** The words of a name or a sentence, as they are compared: in lower case, without a plural's s. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return (apart.match(/[\p{L}\d]+/gu) ?? []).map(singular)
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}

function foldersOf(path: string): string[] {
  return dirname(path).toLowerCase().split('/')
}

/** The folder nearest to the file says most: `app/models/services` holds services. */
function layerOfFolders(path: string): Layer | null {
  for (const folder of foldersOf(path).reverse()) {
    const layer = LAYER_OF_WORD.get(folder.replace(/[-_ ]/g, ''))
    if (layer !== undefined) return layer
  }
  return null
}

/** `user.service.ts`, `UserRepository.java`: what a name ends with says what it is. */
function layerOfName(path: string): Layer | null {
  for (const word of wordsOf(basename(path, extname(path))).reverse()) {
    const layer = LAYER_OF_WORD.get(word) ?? LAYER_OF_WORD.get(`${word}s`)
    if (layer !== undefined) return layer
  }
  return null
}

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
  ],
  test: ['test', 'tests', 'spec'],
}

const SPOKEN: Record<Layer, readonly string[]> = {
  data: ['table', 'column', 'stored', 'persisted', 'saved', 'record', 'row', 'query', 'index', 'unique'],
  business: ['calculated', 'computed', 'validated', 'rejected', 'rule', 'limit', 'discount', 'retried', 'checked'],
  presentation: [
    'shown',
    'show',
    'displayed',
    'display',
    'button',
    'form',
    'click',
    'rendered',
    'endpoint',
    'response',
  ],
  test: ['covered', 'coverage', 'tested', 'fixture'],
}

const LAYER_OF_WORD = new Map(LAYERS.flatMap((layer) => FOLDERS[layer].map((word) => [word, layer] as const)))

const EXTENSIONS = new Map<string, Layer>([
  ...['.sql', '.prisma'].map((extension) => [extension, 'data'] as const),
  ...['.tsx', '.jsx', '.vue', '.svelte', '.css', '.scss', '.html', '.erb', '.hbs'].map(
    (extension) => [extension, 'presentation'] as const,
  ),
])
