/**
 * Whether a prompt can be an argument. Linux allows 128 KB for one argument, no system allows a NUL, and a prompt that
 * begins with a dash would be read as an option. Other prompts go to standard input.
 */
export function fitsArgument(prompt: string): boolean {
  return !prompt.startsWith('-') && !prompt.includes('\0') && Buffer.byteLength(prompt) <= LONGEST_ARGUMENT
}

/** Below the 131,072 bytes that the kernel allows. */
export const LONGEST_ARGUMENT = 120_000

/** In an argument: the path of the file with the prompt. */
export const PROMPT_FILE = '{prompt_file}'
