/**
 * Whether a prompt can stand among the arguments. Linux takes 128 KB for one argument, no system takes a NUL, and a
 * prompt that begins with a dash would be read as an option. What can't goes to standard input.
 */
export function fitsArgument(prompt: string): boolean {
  return !prompt.startsWith('-') && !prompt.includes('\0') && Buffer.byteLength(prompt) <= LONGEST_ARGUMENT
}

/** Some room is left to the 131,072 bytes that the kernel takes. */
export const LONGEST_ARGUMENT = 120_000
