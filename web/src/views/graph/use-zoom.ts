import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Numbers of tasks can still be read at the smallest one that fits by itself. */
const LEAST_FIT = 0.28
const LEAST = 0.1
const MOST = 3

interface Zoom {
  scale: number
  isFitted: boolean
  fit(): void
  /** Keeps this point of the screen where it is; without it, the middle of the frame. */
  by(factor: number, at?: { clientX: number; clientY: number }): void
}

/** At first the whole picture fits into its frame. A person who zooms keeps that until they fit it again. */
export function useZoom(frame: RefObject<HTMLElement | null>, size: { width: number; height: number }): Zoom {
  const [chosen, setChosen] = useState<number | null>(null)
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const look = (): void => setRoom({ width: element.clientWidth, height: element.clientHeight })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  const fitting = room === null ? 1 : Math.min(1, room.width / size.width, room.height / size.height)
  const scale = chosen ?? Math.max(LEAST_FIT, fitting)
  return {
    scale,
    isFitted: chosen === null,
    fit: () => setChosen(null),
    by(factor, at) {
      const next = Math.min(MOST, Math.max(LEAST, scale * factor))
      const element = frame.current
      setChosen(next)
      if (element === null) return
      const box = element.getBoundingClientRect()
      const x = at === undefined ? box.width / 2 : at.clientX - box.left
      const y = at === undefined ? box.height / 2 : at.clientY - box.top
      const left = ((element.scrollLeft + x) / scale) * next - x
      const top = ((element.scrollTop + y) / scale) * next - y
      // The picture gets its new size first.
      requestAnimationFrame(() => element.scrollTo({ left, top }))
    },
  }
}
