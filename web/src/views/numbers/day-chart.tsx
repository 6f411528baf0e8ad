import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Series {
  name: string
  /** The class of its bars: each series has a colour and a pattern of lightness of its own. */
  look: 'one' | 'two'
  amountOf(row: number): number
}

interface Props {
  title: string
  /** The names of the days, oldest first. */
  days: readonly string[]
  series: readonly Series[]
  /** A value in words, for the axis. */
  format(value: number): string
  /** Days on which a part of the value is unknown. */
  isUnknown?(row: number): boolean
}

const SIZE = { height: 150, left: 48, right: 12, bottom: 22, top: 10 }

/** Bars by day, one series on the other. A table beside it says the same in words. */
export function DayChart({ title, days, series, format, isUnknown = () => false }: Props) {
  const totals = days.map((_, row) => series.reduce((sum, { amountOf }) => sum + amountOf(row), 0))
  const most = niceCeiling(Math.max(0, ...totals))
  const [frame, width] = useWidth()
  const step = (width - SIZE.left - SIZE.right) / Math.max(1, days.length)
  const room = SIZE.height - SIZE.top - SIZE.bottom
  const heightOf = (value: number) => (most === 0 ? 0 : (value / most) * room)
  const bottom = SIZE.height - SIZE.bottom
  return (
    <svg ref={frame} class="chart" height={SIZE.height} role="img" aria-label={`${title}, as a picture`}>
      {[0, 0.5, 1].map((share) => (
        <g key={share} class="axis">
          <line x1={SIZE.left} x2={width} y1={bottom - share * room} y2={bottom - share * room} />
          <text x={SIZE.left - 8} y={bottom - share * room + 4} class="end">
            {most === 0 && share > 0 ? '' : format(most * share)}
          </text>
        </g>
      ))}
      {days.map((day, row) => {
        let top = bottom
        const left = SIZE.left + row * step
        return (
          <g key={day}>
            {series.map(({ name, look, amountOf }) => {
              const height = heightOf(amountOf(row))
              top -= height
              return height === 0 ? null : (
                <rect
                  key={name}
                  class={`bar-${look}`}
                  x={left + step * 0.12}
                  y={top}
                  width={Math.max(1, step * 0.76)}
                  height={height}
                />
              )
            })}
            {isUnknown(row) && (
              <text class="unknown" x={left + step / 2} y={top - 3}>
                ?
              </text>
            )}
            {isLabelled(row, days.length, width) && (
              <text class="axis middle" x={left + step / 2} y={SIZE.height - 6}>
                {shortDay(day)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** Each name needs some room; the newest day always has one. */
function isLabelled(row: number, count: number, width: number): boolean {
  return (count - 1 - row) % Math.ceil((count * 48) / width) === 0
}

/** Drawn at the size that there is, so that its words have the size of other words. */
function useWidth(): [frame: RefObject<SVGSVGElement | null>, width: number] {
  const frame = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const look = (): void => setWidth(Math.max(160, element.clientWidth))
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, width]
}

function shortDay(day: string): string {
  const [, month, date] = day.split('-')
  return month === undefined || date === undefined ? day : `${Number(month)}/${Number(date)}`
}

/** 1, 2 or 5 with zeros: a scale that people can read. */
function niceCeiling(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
