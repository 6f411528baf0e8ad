import { walkThrough } from './crash.ts'

walkThrough('heard')
