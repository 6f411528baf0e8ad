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
