import type { RawPlan } from '../plan/plan-model.ts'

/** From the root of a structured plan down to a value: a name or an index for each step. */
export type Path = readonly (string | number)[]
/** Both from 1. */
export interface TextPosition {
  line: number
  column: number
}

/** A structured plan while it is being read. */
export interface Tree {
  plan: RawPlan
  positionOf(path: Path): TextPosition
  unknown: Map<string, { position: TextPosition; count: number }>
  /** Tasks that a milestone names but does not contain. */
  members?: { id: string; place: number }[]
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
