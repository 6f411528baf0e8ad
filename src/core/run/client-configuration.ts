/**
 * Configuration of clients that makes them run something or use another model: hooks, servers, plugins, commands, and
 * variables. CLAUDE.md, AGENTS.md and the like are not included, because they are only text.
 *
 * Returns the part of a path that names the configuration, as `sub/.claude` in `sub/.claude/settings.json`; null for
 * every other path.
 */
export function clientConfiguration(path: string): string | null {
  const parts = path.split('/')
  // On some file systems .CLAUDE is the same folder as .claude.
  const names = parts.map((part) => part.toLowerCase())
  const at = names.findIndex((name, index) => NAMES.has(name) || isBelowShared(names[index - 1], name))
  return at === -1 ? null : parts.slice(0, at + 1).join('/')
}

/** Clients read these in every folder. A link with such a name leads to a folder with any name. */
const NAMES: ReadonlySet<string> = new Set([
  ...['.claude', '.qwen', '.gemini', '.codex', '.opencode', '.cursor', '.copilot', '.windsurf', '.kiro', '.roo'],
  ...['.continue', '.amp', '.goose', '.agents', '.aider.conf.yml', '.aider.conf.yaml', '.aider.model.settings.yml'],
  ...['.mcp.json', 'opencode.json', 'opencode.jsonc'],
  // Gemini and qwen take the address of their model from .env, and runtimes that clients are built with read these.
  ...['.env', '.env.local', '.env.development', '.env.production', '.env.test', 'bunfig.toml'],
])

/** What clients read in folders that also contain other things. */
function isBelowShared(folder: string | undefined, name: string): boolean {
  if (folder === '.vscode') return name === 'mcp.json' || name === 'settings.json'
  return folder === '.github' && ['copilot', 'hooks', 'mcp.json', 'plugin', 'extensions'].includes(name)
}
