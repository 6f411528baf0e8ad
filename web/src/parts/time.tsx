import { signal } from '@preact/signals'

/** The present, for what counts up. It moves once a second while the page is visible. */
export const present = signal(Date.now())

setInterval(() => {
  if (!document.hidden) present.value = Date.now()
}, 1000)

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** When something was, in words, and exactly in the reader's zone when one points at it. */
export function Ago({ at }: { at: string }) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={FULL.format(moment)}>
      {`${lengthOf(present.value - moment.getTime())} ago`}
    </time>
  )
}

export function Elapsed({ since }: { since: string }) {
  return <time dateTime={since}>{lengthOf(present.value - Date.parse(since))}</time>
}

const MOMENT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

/** A sentence of gza, with its times in the reader's zone. */
export function WithTimes({ text }: { text: string }) {
  return (
    <>
      {text.split(MOMENT).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <time key={at} dateTime={part}>
            {FULL.format(new Date(part))}
          </time>
        ),
      )}
    </>
  )
}

export function lengthOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}
