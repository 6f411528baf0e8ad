import type { Label } from './label.ts'
import type { PlanLine } from './plan-lines.ts'

/** A part of the document that belongs to one milestone; the first region is everything that belongs to none. */
export interface Region {
  /** The index of its heading; null for the first. */
  heading: number | null
  id: string
  title: string
  /** It contains milestones. */
  hasInner: boolean
}

/** The place of a line in the document. */
export interface Place {
  region: number
  /** The nearest heading above, or the heading itself: an index into `lines`; -1 above all of them. */
  heading: number
  /** The heading above this one; -1 if there is none. */
  above: number
  /** In a part of the document that is about the plan and contains no tasks. */
  isAbout: boolean
  /** Below a heading such as "Tasks" or "Implementation steps". */
  isListed: boolean
}

export interface Outline {
  lines: PlanLine[]
  places: Place[]
  regions: Region[]
  /** The label of every heading and item that is more than text. */
  labels: Map<number, Label>
  titleAt: number | null
  title: string | null
}
