import { walkThrough } from './crash.ts'

walkThrough('working')
