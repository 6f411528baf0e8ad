import type { CliCommand } from '../command.ts'
import { CHECK_COMMANDS } from './check.ts'
import { HIDDEN_COMMANDS } from './hidden.ts'
import { LAND_COMMANDS } from './land.ts'
import { LOOK_COMMANDS } from './look.ts'
import { CLOSER_LOOK_COMMANDS } from './look-closer.ts'
import { LIST_COMMANDS } from './look-list.ts'
import { PLAN_COMMANDS } from './plan.ts'
import { ADD_COMMANDS } from './plan-add.ts'
import { RUN_COMMANDS } from './run.ts'
import { SET_UP_COMMANDS } from './set-up.ts'
import { SHARE_COMMANDS } from './share.ts'
import { WATCH_COMMANDS } from './watch.ts'
import { WORK_COMMANDS } from './work.ts'

/** Every command, in the order of the help. */
export const ALL_COMMANDS: readonly CliCommand[] = [
  ...ADD_COMMANDS,
  ...PLAN_COMMANDS,
  ...LIST_COMMANDS,
  ...LOOK_COMMANDS,
  ...CLOSER_LOOK_COMMANDS,
  ...WORK_COMMANDS,
  ...RUN_COMMANDS,
  ...WATCH_COMMANDS,
  ...LAND_COMMANDS,
  ...SHARE_COMMANDS,
  ...CHECK_COMMANDS,
  ...SET_UP_COMMANDS,
  ...HIDDEN_COMMANDS,
]
