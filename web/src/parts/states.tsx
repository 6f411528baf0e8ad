import type { ComponentChildren } from 'preact'
import type { Read } from '../api/resource.ts'

/** Shows what was read, or why there is nothing: it is being read, it failed, or there is none. */
export function Shown<T>({ read, empty, children }: ShownProps<T>) {
  const { value, error, isReading } = read
  if (value === null) return error ? <Problem error={error} /> : isReading ? <Loading /> : null
  return (
    <>
      {error && <Problem error={error} />}
      {empty?.(value) ?? children(value)}
    </>
  )
}

interface ShownProps<T> {
  read: Read<T>
  /** What to show instead if there is nothing; null: there is something. */
  empty?: (value: T) => ComponentChildren | null
  children: (value: T) => ComponentChildren
}

export function Loading() {
  return (
    <p class="loading" role="status">
      Reading…
    </p>
  )
}

export function Problem({ error }: { error: { message: string; hint: string | null } }) {
  return (
    <div class="problem" role="alert">
      <strong>{error.message}</strong>
      {error.hint && <p>{error.hint}</p>}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
