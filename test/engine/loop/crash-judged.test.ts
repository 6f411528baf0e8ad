import { walkThrough } from './crash.ts'

walkThrough('kept', 'verified')
