/**
 * Finds the task of each item in a backlog file. The file has no marks from gza, so an item is recognised by its words
 * and, if a person reworded it, by its place and the words that remain. An ambiguous match is reported, not decided.
 */
import type { TodoItem } from './read-todo.ts'

/** An item as it was when its task was filed. */
export interface ItemRecord {
  file: string
  heading: string
  /** The texts of the items around it; empty at the ends of the file. */
  before: string
  after: string
  text: string
}

export interface TakenUp {
  uid: string
  title: string
  group: string | null
  isOpen: boolean
  /** Null: it was not filed from an item, and only has the same words. */
  record: ItemRecord | null
}

export type TodoLink =
  | { kind: 'task'; uid: string /** The item's text before it was reworded. */; was: string | null }
  | { kind: 'unsure'; uids: string[] }

type Links = Map<number, TodoLink>

/** The link of each item that has one, by its number. */
export function linkTodo(items: readonly TodoItem[], tasks: readonly TakenUp[]): Links {
  const links: Links = new Map()
  const listed = items.map((item, at) => ({ item, record: recordOf(items, at, '') }))
  linkSameWords(links, listed, tasks)
  const texts = new Set(items.map(({ text }) => text))
  const lost = tasks.filter(({ record }) => record !== null && !texts.has(record.text)) as Lost[]
  linkReworded(links, listed, lost)
  return links
}

export function recordOf(items: readonly TodoItem[], at: number, file: string): ItemRecord {
  const { text, heading } = items[at] as TodoItem
  return { file, heading: heading ?? '', before: items[at - 1]?.text ?? '', after: items[at + 1]?.text ?? '', text }
}

interface ListedItem {
  item: TodoItem
  record: ItemRecord
}

type Lost = TakenUp & { record: ItemRecord }

/**
 * Of several tasks with the same words, an open one counts, and the last; of several items, the one at the task's
 * place.
 */
function linkSameWords(links: Links, listed: readonly ListedItem[], tasks: readonly TakenUp[]): void {
  const byText = Map.groupBy(tasks, ({ record, title }) => record?.text ?? title)
  for (const [text, sameItems] of Map.groupBy(listed, ({ item }) => item.text)) {
    const same = (byText.get(text) ?? []).toReversed().sort((a, b) => Number(b.isOpen) - Number(a.isOpen))
    for (const task of same.slice(0, sameItems.length)) {
      const free = sameItems.filter(({ item }) => links.get(item.number)?.kind !== 'task')
      const most = Math.max(...free.map(({ record }) => agreement(record, task)))
      const best = free.filter(({ record }) => agreement(record, task) === most)
      if (best.length === 1 || same.length >= sameItems.length) link(links, best[0] as ListedItem, task)
      else for (const listedItem of best) addCandidate(links, listedItem, task)
    }
  }
}

const SIMILAR = 0.5
const ALIKE = 0.7

/**
 * Similar words at the old place are a rewording. Words alone, or a place alone, are not enough to be sure, but enough
 * to be mentioned while the task is open.
 */
function linkReworded(links: Links, listed: readonly ListedItem[], lost: readonly Lost[]): void {
  const free = listed.filter(({ item }) => !links.has(item.number))
  // An item that was next to this one when it was taken up was a different item even then.
  const isOther = ({ item }: ListedItem, { record }: Lost) => item.text === record.before || item.text === record.after
  const pairs = lost.flatMap((task) =>
    free
      .filter((listedItem) => !isOther(listedItem, task))
      .map((listedItem) => ({ task, listedItem, ...likeness(listedItem, task) })),
  )
  const sure = pairs.filter(({ words, isNear }) => words >= SIMILAR && isNear)
  const isOnly = (pair: (typeof pairs)[number]) =>
    sure.every((other) => other === pair || (other.task !== pair.task && other.listedItem !== pair.listedItem))
  for (const pair of sure) if (isOnly(pair)) link(links, pair.listedItem, pair.task, pair.task.record.text)
  const found = new Set([...links.values()].flatMap((known) => (known.kind === 'task' ? [known.uid] : [])))
  const open = pairs.filter(
    ({ task, listedItem }) => task.isOpen && !found.has(task.uid) && links.get(listedItem.item.number)?.kind !== 'task',
  )
  // Items of one list are often similar: of those elsewhere, only the one with the nearest wording is worth a question.
  const nearest = new Map<Lost, number>()
  for (const { task, words } of open) nearest.set(task, Math.max(ALIKE, words, nearest.get(task) ?? 0))
  for (const { task, listedItem, words, isNear, isSamePlace } of open)
    if (words === nearest.get(task) || isSamePlace || (words >= SIMILAR && isNear))
      addCandidate(links, listedItem, task)
}

function likeness({ record }: ListedItem, task: Lost) {
  const isHeading = record.heading === task.record.heading
  const [isBefore, isAfter] = [record.before === task.record.before, record.after === task.record.after]
  const isBeside = (isBefore && record.before !== '') || (isAfter && record.after !== '') || (isBefore && isAfter)
  return {
    words: similarity(record.text, task.record.text),
    isNear: isHeading && isBeside,
    isSamePlace: isHeading && isBefore && isAfter,
  }
}

function agreement(listedItem: ItemRecord, { record, group }: TakenUp): number {
  if (record === null) return Number(listedItem.heading === (group ?? ''))
  const facts = ['heading', 'before', 'after'] as const
  return facts.filter((fact) => listedItem[fact] === record[fact]).length
}

function link(links: Links, { item }: ListedItem, { uid }: TakenUp, was: string | null = null): void {
  links.set(item.number, { kind: 'task', uid, was })
}

function addCandidate(links: Links, { item }: ListedItem, { uid }: TakenUp): void {
  const known = links.get(item.number)
  links.set(item.number, { kind: 'unsure', uids: [...(known?.kind === 'unsure' ? known.uids : []), uid] })
}

/** How many pairs of neighbouring letters two texts share, from 0 to 1 (Dice). */
function similarity(a: string, b: string): number {
  const [left, right] = [letterPairs(a), letterPairs(b)]
  const counts = new Map<string, number>()
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  const shared = right.filter((pair) => {
    const count = counts.get(pair) ?? 0
    counts.set(pair, count - 1)
    return count > 0
  }).length
  return left.length + right.length === 0 ? 0 : (2 * shared) / (left.length + right.length)
}

function letterPairs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => {
    const letters = [...word]
    return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
  })
}
