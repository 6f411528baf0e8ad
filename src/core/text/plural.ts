/** A count with its noun: `1 task`, `2 tasks`, `0 dependencies`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`
}
