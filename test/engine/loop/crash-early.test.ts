import { walkThrough } from './crash.ts'

walkThrough('leased', 'begun', 'started', 'prepared')
