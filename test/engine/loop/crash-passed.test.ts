import { walkThrough } from './crash.ts'

walkThrough('passed')
