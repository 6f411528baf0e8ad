import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECTIONS } from '../../src/cli/help.ts'
import { ALL_COMMANDS } from '../../src/cli/tree/all-commands.ts'
import { STEPS } from '../architecture/rules/imports.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', ...pagesIn('docs')]

test.each(PAGES)('every link of %s leads somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
  const dead = links.filter(([, path = '', anchor]) => !leadsSomewhere(page, path, anchor))
  expect(dead.map(([link]) => link)).toEqual([])
})

test.each(PAGES)('every source that %s names is there, and declares what the page says', (page) => {
  const paths = [...read(page).matchAll(/`((?:src|test|scripts|bench|web)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  const missing = paths.filter((path) => !path.includes('NAME') && !existsSync(join(ROOT, path)))
  const named = [...read(page).matchAll(/`(\w+)`\s+in\s+`(src\/[\w./-]+\.ts)`/g)]
  const undeclared = named.filter(
    ([, name, path = '']) =>
      !existsSync(join(ROOT, path)) || !new RegExp(`\\b(?:function\\*?|const) ${name}\\b`).test(read(path)),
  )
  expect({ missing, undeclared: undeclared.map(([text]) => text) }).toEqual({ missing: [], undeclared: [] })
})

test('README.md lists every command under its section of the help, in its order', () => {
  const commands = ALL_COMMANDS.filter(({ hidden }) => !hidden)
  const rows = SECTIONS.map((section) => {
    const names = commands.filter((command) => command.section === section).map(({ name }) => `\`${name}\``)
    return `| ${section} | ${names.join(' ')} |`
  })
  expect(rows.filter((row) => !read('README.md').includes(`${row}\n`))).toEqual([])
})

test('CONTRIBUTING.md has the import table of the architecture test', () => {
  const table = [...read('CONTRIBUTING.md').matchAll(/^\| \d+ \| ([\w, ]+?) (?:\(.*\) )?\|$/gm)]
  expect(table.map(([, folders = '']) => folders.split(', '))).toEqual(STEPS.map((step) => [...step]))
})

test('CONTRIBUTING.md draws every folder of src', () => {
  const drawing = /^## The folders\n\n```\n([\s\S]*?)```/m.exec(read('CONTRIBUTING.md'))?.[1] ?? ''
  const parts = new Map(drawing.split(/^ {2}(?=\w)/m).map((part) => [part.slice(0, part.indexOf('/')), part]))
  const missing = foldersIn('src').flatMap((folder) => [
    ...(parts.has(folder) ? [] : [`src/${folder}/`]),
    ...foldersIn(`src/${folder}`)
      .filter((name) => !new RegExp(`(?<![\\w-])${name}/`).test(parts.get(folder) ?? ''))
      .map((name) => `src/${folder}/${name}/`),
  ])
  expect(missing).toEqual([])
})

function leadsSomewhere(page: string, path: string, anchor: string | undefined): boolean {
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return false
  return anchor === undefined || anchorsOf(read(target)).includes(anchor)
}

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
