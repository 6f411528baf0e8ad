/**
 * The steps of a run in their order, each named after what is true once it is passed. docs/facts.md describes for each
 * step what a restart finds and does; the crash tests use this list and kill the worker at every step.
 */
export const RUN_STEPS = [
  'leased',
  'begun',
  'started',
  'prepared',
  'working',
  'heard',
  'kept',
  'verified',
  'removed',
  'recorded',
  'noted',
  'finished',
  'released',
] as const

/** The steps that a run with reviews passes once in each phase, besides those from prepared to verified. */
export const REVIEW_STEPS = ['passed'] as const

export type RunStep = (typeof RUN_STEPS)[number] | (typeof REVIEW_STEPS)[number]

/** The steps in which a dead worker's run is ended; a restart may be killed in them as well. */
export const RECOVERY_STEPS = ['adopted', 'silenced', 'rescued', 'cleared', 'ended'] as const
export type RecoveryStep = (typeof RECOVERY_STEPS)[number]

/**
 * The steps of a landing in their order, each named after what is true once it is passed. docs/facts.md describes for
 * each step what a restart finds and does; the crash tests use this list and kill the lander at every step.
 */
export const LAND_STEPS = [
  'land-locked',
  'land-built',
  'land-verified',
  'land-intended',
  'land-moved',
  'land-recorded',
  'land-noted',
  'land-cleared',
  'land-released',
] as const

/** Passed instead when a branch is sent back. */
export type LandStep = (typeof LAND_STEPS)[number] | 'land-returned'

/** The steps between which the `.git` of a worktree leads to a private git folder, where nothing can be mounted over it. */
export const LINK_STEPS = ['led-away', 'led-back'] as const
export type LinkStep = (typeof LINK_STEPS)[number]

/** The steps in which a run's work is imported from its private git folder, in their order. */
export const IMPORT_STEPS = ['import-stored', 'import-fetched', 'import-moved', 'import-reset', 'imported'] as const
/** `left-committed`: before the import, what was left uncommitted is committed in the box. */
export type ImportStep = (typeof IMPORT_STEPS)[number] | 'left-committed'
