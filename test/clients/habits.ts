import type { LimitAnswers } from './limit-answers.ts'

/** How one client differs from the others in what gza can see of it. */
export interface Habits {
  /** What it reports as the cost of two answers; most report nothing. */
  costUsd: number
  /** Time enough for a run on a slow machine. Codex gives up by itself after half a minute, the others after minutes. */
  minutes: number
  /** It says nothing about a usage limit without a reset for minutes: gza reads it in the session's file. */
  isSilentAtLimits?: true
  /** What its model reads of `gza setup`. */
  setUp: string
  /** What of a checkout's client configuration it executes while it works; a reviewer executes none of it. */
  executes: readonly string[]
  /** Files below its home that deny `touch`; settings of its home that are there already are in them. */
  deny: Readonly<Record<string, string>>
  /** How its provider refuses at a usage limit. */
  limit: LimitAnswers
}
