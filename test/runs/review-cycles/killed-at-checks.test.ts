import { walkThrough } from './kill-at-steps.ts'

walkThrough('kept', 'verified')
