// By its name: the whole file would be part of the executable, and made at every start.
import { version } from '../../package.json' with { type: 'json' }

export const VERSION: string = version
