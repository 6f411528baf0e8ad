import { walkThrough } from './kill-at-steps.ts'

walkThrough('leased', 'begun', 'started', 'prepared')
