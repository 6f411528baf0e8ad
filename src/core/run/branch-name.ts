import { firstLine } from '../text/first-line.ts'
import { freeName } from './text-names.ts'

/**
 * `20241213-imagetransform`: the day a task began and the words of its title. Only `a-z`, `0-9` and `-` are used, so
 * that every git, shell and file system accepts it, and no rule of git for ref names can be broken.
 */
export function branchName(date: string, title: string, isTaken: (branch: string) => boolean): string {
  return freeName(`${date}-${slugOf(title)}`, isTaken)
}

const LONGEST_SLUG = 40
/** For a title without a letter or digit that can be written in ASCII. */
const NAMELESS = 'task'

function slugOf(title: string): string {
  const words = fold(firstLine(title.trim())).match(/[a-z0-9]+/g) ?? []
  let slug = words.shift()?.slice(0, LONGEST_SLUG) ?? NAMELESS
  for (const word of words) {
    if (slug.length + 1 + word.length > LONGEST_SLUG) break
    slug += `-${word}`
  }
  return slug
}

/** Letters that do not decompose into an ASCII letter and an accent. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mark}'’`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŧ]/g, (letter) => LETTERS[letter] ?? letter)
}
