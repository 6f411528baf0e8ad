import type { DerivedStatus } from '../task/task.ts'

interface Colours {
  fill: string
  line: string
  text: string
}

/** The same colours in all pictures. Text has a contrast of at least 7 to 1 on its fill. */
export const STATUS_COLOURS: Record<DerivedStatus, Colours> = {
  pending: { fill: '#e8f1fd', line: '#2f6fc4', text: '#12263f' },
  blocked: { fill: '#f3f4f6', line: '#8a919e', text: '#333a45' },
  in_progress: { fill: '#fff4d6', line: '#b7791f', text: '#4a3206' },
  completed: { fill: '#e3f6e8', line: '#2f855a', text: '#123d25' },
  failed: { fill: '#fde8e8', line: '#c53030', text: '#5a1414' },
  skipped: { fill: '#ffffff', line: '#8a919e', text: '#4b5563' },
}

export const CYCLE_COLOUR = '#c53030'
