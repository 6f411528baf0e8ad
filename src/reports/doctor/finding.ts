import type { Sentence } from '../../core/sentence.ts'

/** What `gza doctor` found out about one thing, and what to do about it. */
export interface Finding {
  name: string
  state: 'ok' | 'warn' | 'fail'
  detail: string
  next: Sentence | null
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail, next: null }
}

export function warn(name: string, detail: string, next: Sentence | null): Finding {
  return { name, state: 'warn', detail, next }
}

export function fail(name: string, detail: string, next: Sentence | null): Finding {
  return { name, state: 'fail', detail, next }
}
