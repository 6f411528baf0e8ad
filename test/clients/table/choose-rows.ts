import { ALL_PAIRS, type Pair, pairName } from '../pairs.ts'
import { CLIENT_NAMES, type ClientName, type Row } from './rows.ts'

/** One task from its work to its approval. Every client does it at every level, as every user. */
const ALWAYS: readonly Row[] = ['broker', 'improve', 'sandbox']

/** Each client passes another one of them at each level: all of them are tried at every level, and with every client. */
const IN_TURN: readonly Row[] = ['killed', 'limitReset', 'review', 'resumed', 'interrupted', 'strict']

/** The rows that depend on the box and on the user. */
export const BOX_ROWS: readonly Row[] = [...ALWAYS, ...IN_TURN]

/** What a client is tested for at another level than the strongest one, or as another user. */
export function chosenRows(client: ClientName, pair: Pair, isFull: boolean): readonly Row[] {
  if (isFull) return BOX_ROWS
  const turn = ALL_PAIRS.findIndex((each) => pairName(each) === pairName(pair)) + CLIENT_NAMES.indexOf(client)
  return [...ALWAYS, ...IN_TURN.filter((_, at) => at === turn % IN_TURN.length)]
}
