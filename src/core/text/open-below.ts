const MOST_NAMED = 5

/** `#3, #4 below it are open here`: why a task stays open although another tool has closed it. */
export function openBelowWords(numbers: readonly number[]): string {
  const named = numbers.slice(0, MOST_NAMED).map((number) => `#${number}`)
  const more = numbers.length - named.length
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `${names} below it ${numbers.length === 1 ? 'is' : 'are'} open here`
}
