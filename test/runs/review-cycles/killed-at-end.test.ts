import { walkThrough } from './kill-at-steps.ts'

walkThrough('removed', 'recorded', 'noted', 'finished', 'released')
