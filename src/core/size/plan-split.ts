/**
 * Divides a task that is too large for one agent into a chain of parts that are not. Nothing is lost, and nothing is
 * done twice.
 */

import { titleOf } from '../task/task.ts'
import { normalPath } from '../text/normal-path.ts'
import { shorten } from '../text/shorten.ts'
import {
  type Complexity,
  type Component,
  dominantComponent,
  filesOf,
  hasCriteria,
  type ScoreContext,
  type Sized,
  scoreTask,
} from './complexity.ts'
import { dividePiece, nameCriteria, type Piece } from './split-groups.ts'
import { LONGEST_LABEL, labelPieces } from './split-labels.ts'
import { STRATEGIES, type Strategy } from './strategies.ts'

export type Named = Sized & { key: string }

export interface Part extends Sized {
  key: string
  title: string
  content: string
  /** The keys of the parts that must be finished first: the one before it. */
  after: string[]
  /** It scores above the threshold and cannot be divided further. */
  isUnsplittable: boolean
  /** Why that is so; null if it is small enough. */
  unsplittable: string | null
}

export type SplitPlan =
  | { kind: 'keep' }
  | { kind: 'split'; strategy: Strategy; chosen: Choice; dominant: Component; parts: Part[] }
  | { kind: 'unsplittable'; why: string }

/**
 * Why this strategy: it fits the dominant component, a person asked for it, or it is the next best because the first
 * cannot divide the task.
 */
export type Choice = 'dominant' | 'asked' | 'next best'

export interface SplitOptions extends ScoreContext {
  /** A person asked for it: the task is split this way, whatever its score. */
  strategy?: Strategy
  /** The name that the parts use for the whole; its key, unless another name finds it. */
  name?: string
  /** Keys that other tasks already have. */
  isKeyTaken?: (key: string) => boolean
  /** The titles of existing parts. */
  titlesBefore?: readonly string[]
}

export function planSplit(task: Named, score: Complexity, given: SplitOptions): SplitPlan {
  const { strategy: asked } = given
  if (asked === undefined && score.total <= score.threshold) return { kind: 'keep' }
  const options = { ...given, isPartOfClear: given.isPartOfClear || hasCriteria(task) }
  const whole = pieceOf(task)
  const divided = divide(task, whole, { ...options, ...(asked && { only: asked }) })
  if (divided === null) return { kind: 'unsplittable', why: whyNot(whole, asked) }
  const parts = nameParts(task, divideAll(task, divided.pieces, options), options)
  if (asked === undefined && parts.every(({ isUnsplittable }) => isUnsplittable))
    return { kind: 'unsplittable', why: `each of its parts would still score above ${score.threshold}` }
  const { strategy } = divided
  const dominant = dominantComponent(score)
  return { kind: 'split', strategy, chosen: choiceOf(strategy, asked, dominant), dominant, parts }
}

/** The parts of what remains of a task: one part if that need not or cannot be divided. */
export function planRest(rest: Named, options: SplitOptions): Part[] {
  const plan = planSplit(rest, scoreTask(rest, options), options)
  if (plan.kind === 'split') return plan.parts
  const piece = { ...pieceOf(rest), isByFolder: true }
  const label = labelPieces([piece])[0] || nameCriteria(piece.criteria, rest.acceptance_criteria ?? [])
  return nameParts(rest, [{ ...piece, label }], options)
}

function pieceOf(task: Sized): Piece {
  const criteria = (task.acceptance_criteria ?? []).map((_, at) => at)
  return { label: '', isByFolder: false, files: filesOf(task), criteria }
}

export function strategyFor(component: Component): Strategy {
  return STRATEGY_FOR[component]
}

function choiceOf(strategy: Strategy, asked: Strategy | undefined, dominant: Component): Choice {
  if (asked !== undefined) return 'asked'
  return strategyFor(dominant) === strategy ? 'dominant' : 'next best'
}

const STRATEGY_FOR: Record<Component, Strategy> = {
  file_scope: 'files',
  cross_file_deps: 'layers',
  semantic_complexity: 'criteria',
  requirement_uncertainty: 'criteria',
  token_penalty: 'files',
}

interface Division {
  strategy: Strategy
  pieces: Piece[]
}

/** The first strategy that can divide it, that of the dominant component first; null if none can. */
function divide(task: Named, piece: Piece, options: SplitOptions & { only?: Strategy }): Division | null {
  const label = piece.label
  const score = scorePiece(task, { ...piece, label }, options)
  const criteria = task.acceptance_criteria ?? []
  const fits = (group: Pick<Piece, 'files' | 'criteria'>) => isSmall(scorePiece(task, { ...group, label }, options))
  const shared = new Set(filesOf({ files_to_modify: task.files_to_modify ?? [] }))
  const strategies = options.only ? [options.only] : byDominance(score)
  for (const strategy of strategies) {
    const pieces = dividePiece(piece, strategy, { criteria, fits, shared })
    const isBetter = pieces.every((part) => scorePiece(task, part, options).total < score.total)
    if (pieces.length > 1 && (isBetter || options.only)) return { strategy, pieces }
  }
  return null
}

type Labelled = Omit<Piece, 'isByFolder'>

/**
 * Divides until each piece is small enough or indivisible. The label of a piece counts, and changes when others are
 * divided. Each division leaves fewer files or criteria in every part, so this ends.
 */
function divideAll(task: Named, pieces: readonly Piece[], options: SplitOptions): Labelled[] {
  const labels = labelPieces(pieces)
  const labelled = pieces.map((piece, at) => ({ ...piece, label: labels[at] ?? '' }))
  const divided = pieces.flatMap((piece, at) => {
    const { label } = labelled[at] ?? piece
    if (isSmall(scorePiece(task, { ...piece, label }, options))) return [piece]
    return divide(task, piece, { ...options, strategy: undefined })?.pieces ?? [piece]
  })
  return divided.length === pieces.length ? labelled : divideAll(task, divided, options)
}

function byDominance(score: Complexity): Strategy[] {
  const first = strategyFor(dominantComponent(score))
  return [first, ...STRATEGIES.filter((strategy) => strategy !== first)]
}

function isSmall({ total, threshold }: Complexity): boolean {
  return total <= threshold
}

function scorePiece(task: Named, piece: Labelled, options: SplitOptions): Complexity {
  return scoreTask(partOf(task, piece, { at: 0, of: 1, name: options.name }), options)
}

/** The part as it will be filed, because that is what an agent will read. */
function partOf(task: Named, piece: Labelled, { at, of, name = task.key }: { at: number; of: number; name?: string }) {
  const title = titleFor(task, piece)
  const whole = shorten(titleOf({ content: '', ...task }), LONGEST_TITLE)
  const content = `${title}\n\nPart ${at + 1} of ${of} of ${name}: ${whole}\nDo this part alone. gza show ${name} prints the whole.`
  return { ...scopeOf(task, piece), title, content }
}

/** The part of the task that belongs to the piece: its files in their lists, its criteria, and the shared story. */
function scopeOf(task: Sized, { files, criteria }: Labelled): Sized {
  const own = new Set(files)
  const pick = (paths: readonly string[] = []) => [...new Set(paths.map(normalPath))].filter((path) => own.has(path))
  return {
    ...(task.user_story !== undefined && { user_story: task.user_story }),
    acceptance_criteria: criteria.map((at) => task.acceptance_criteria?.[at] ?? ''),
    files_to_create: pick(task.files_to_create),
    files_to_modify: pick(task.files_to_modify),
    test_files: pick(task.test_files),
  }
}

/** The longest title that the ledger accepts. */
const LONGEST_TITLE = 80

function titleFor(task: Sized, { label }: Labelled): string {
  const tail = shorten(label, LONGEST_LABEL)
  return `${shorten(titleOf({ content: '', ...task }), LONGEST_TITLE - tail.length - 2)}: ${tail}`
}

function nameParts(task: Named, pieces: readonly Labelled[], options: SplitOptions): Part[] {
  const keys = freeKeys(task.key, pieces.length, options.isKeyTaken)
  return pieces.map((piece, at) => {
    const { name, titlesBefore = [] } = options
    const place = { at: at + titlesBefore.length, of: pieces.length + titlesBefore.length, name }
    const part = partOf(task, distinguished(task, piece, titlesBefore), place)
    const after = keys.slice(Math.max(0, at - 1), at)
    const isUnsplittable = !isSmall(scoreTask(part, options))
    const unsplittable = isUnsplittable ? whyNot(piece) : null
    return { ...part, key: keys[at] ?? '', after, isUnsplittable, unsplittable }
  })
}

function distinguished(task: Sized, piece: Labelled, titles: readonly string[]): Labelled {
  if (!titles.includes(titleFor(task, piece))) return piece
  for (let nth = 2; ; nth++) {
    const other = { ...piece, label: `${piece.label} (${nth})` }
    // A label that is cut off has no room for a number.
    if (!titles.includes(titleFor(task, other)) || nth > titles.length + 1) return other
  }
}

/** The fields of a part that the ledger keeps: empty lists are left out. */
export function partFields({ after: _after, isUnsplittable: _is, unsplittable: _why, ...fields }: Part) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  ) as typeof fields
}

/** T1-a, T1-b … T1-z, T1-aa: keys that are taken are skipped. */
export function freeKeys(key: string, count: number, isTaken: (key: string) => boolean = () => false): string[] {
  const keys: string[] = []
  for (let at = 0; keys.length < count; at++) {
    const name = `${key}-${letters(at)}`
    if (!isTaken(name)) keys.push(name)
  }
  return keys
}

function letters(at: number): string {
  const last = String.fromCharCode(97 + (at % 26))
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last
}

function whyNot({ files, criteria }: Labelled, asked?: Strategy): string {
  if (files.length < 2 && criteria.length < 2)
    return 'it has fewer than two files and fewer than two acceptance criteria'
  return asked === undefined
    ? 'no part of it would score less than the whole'
    : `split by ${asked}, it has only one part`
}
