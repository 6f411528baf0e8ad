import { walkThrough } from './crash.ts'

walkThrough('removed', 'recorded', 'noted', 'finished', 'released')
