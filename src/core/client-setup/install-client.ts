/** How a client is installed, by its name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['claude', '@anthropic-ai/claude-code'],
  ['codex', '@openai/codex'],
  ['opencode', 'opencode-ai'],
  ['gemini', '@google/gemini-cli'],
  ['qwen', '@qwen-code/qwen-code'],
  ['copilot', '@github/copilot'],
])

/** The command that installs it; null if it is not a client that gza knows. */
export function installCommand(client: string): string | null {
  const name = PACKAGES.get(client)
  return name === undefined ? null : `npm i -g ${name}`
}
