/** The columns of the board, from left to right. */
export const COLUMNS = ['ready', 'blocked', 'running', 'needs_you', 'in_review', 'to_land', 'landed', 'failed'] as const
export type Column = (typeof COLUMNS)[number]

/** What the cards of a column can be grouped by. */
export const GROUPINGS = ['milestone', 'group', 'agent', 'branch'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** How many cards of a column are shown at first. More take longer to show than a person waits. */
export const FIRST_CARDS = 50
