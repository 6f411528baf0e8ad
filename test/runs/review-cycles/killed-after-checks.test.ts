import { walkThrough } from './kill-at-steps.ts'

walkThrough('passed')
