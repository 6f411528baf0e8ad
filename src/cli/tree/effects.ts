/**
 * What a command does, at most. An unknown word is never answered with a command that starts, lands or deletes
 * something: who is in a hurry runs what is proposed.
 */
type Effect = 'reads' | 'writes' | 'starts' | 'lands' | 'deletes' | 'hidden'

const BY_EFFECT: Record<Effect, string> = {
  reads:
    'list ready next show status groups milestones tree where graph log query search simulate ps watch web logs inbox why ' +
    'prompt stats summary queue diff score export verify doctor config context agents completion shell-init',
  writes:
    'add edit restore move redo import plan breakdown split todo done note ask claim release assign answer sync linear ' +
    'pr init setup notify',
  // Trust lets the commands of a file run.
  starts: 'work run retry review improve demo guard mcp trust fleet',
  lands: 'merge resolve',
  deletes: 'delete archive undo prune kill',
  hidden: '__complete hook __link __mcp __demo-agent __fleet',
}

/** The flags that confirm, discard, take away or run everything. The first word is the command, or `*` for all. */
const RISKY_FLAGS =
  '* yes, * take-over, * no-base-check, work all, merge all, move all, prune archive-open, prune move-to, prune remote, ' +
  'archive older-than, agents remove, setup remove, trust revoke, verify accept, sync without, pr create, ' +
  'resolve fixed, resolve skip, resolve reset, resolve abort, resolve resume, edit reopen, edit verdict, retry fresh'

export function effectOf(name: string): Effect | undefined {
  return (Object.keys(BY_EFFECT) as Effect[]).find((effect) => BY_EFFECT[effect].split(' ').includes(name))
}

export function mayPropose(name: string): boolean {
  const effect = effectOf(name)
  return effect === 'reads' || effect === 'writes'
}

export function mayProposeFlag(command: string, flag: string): boolean {
  const risky = RISKY_FLAGS.split(', ')
  return !risky.includes(`* ${flag}`) && !risky.includes(`${command} ${flag}`)
}
