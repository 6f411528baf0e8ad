/**
 * The steps of a landing in their order, each named after what is true once it is passed. docs/facts.md says of each what
 * a restart finds and does; the crash tests walk this list and kill the lander at every one.
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

/** Passed where a branch is sent back instead. */
export type LandStep = (typeof LAND_STEPS)[number] | 'land-returned'
