export { breakDown as default } from './plan.ts'
