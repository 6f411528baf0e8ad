import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Env } from '../support/repo.ts'
import type { Pair } from './pairs.ts'

/** A real client, whose own settings make it ask the model on loopback. */
export interface Client {
  name: string
  /** Passed with `--model`, where the client would otherwise ask its model which model to ask. */
  model: string | null
  /** Writes its settings below its home, and returns the variables it needs. */
  settle(base: string, home: string): Env
  /** The strongest one if it is not given. */
  pair?: Pair
  /** The rows of the table that are tested with it; all, if they are not given. */
  rows?: readonly string[]
  /** With `isolation: strict`. */
  isStrict?: true
}

export const CLIENTS = {
  claude: {
    name: 'claude',
    model: null,
    settle: (base) => ({
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: 'test-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  codex: {
    name: 'codex',
    model: null,
    settle: (base, home) => {
      const provider = `name = "loopback"\nbase_url = "${base}/v1"\nwire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n`
      const settings = `model = "m"\nmodel_provider = "loopback"\n[model_providers.loopback]\n${provider}`
      writeBelow(home, '.codex/config.toml', settings)
      return { LOOPBACK_KEY: 'test-key' }
    },
  },
  opencode: {
    name: 'opencode',
    model: null,
    settle: (base, home) => {
      const options = { baseURL: `${base}/v1`, apiKey: 'test-key' }
      const provider = { loopback: { npm: '@ai-sdk/openai-compatible', options, models: { m: { cost: PRICES } } } }
      const path = writeBelow(
        home,
        'opencode.json',
        JSON.stringify({ model: 'loopback/m', autoupdate: false, provider }),
      )
      return { OPENCODE_CONFIG: path, OPENCODE_DISABLE_MODELS_FETCH: '1' }
    },
  },
  gemini: {
    name: 'gemini',
    model: 'gemini-2.5-pro',
    settle: (base, home) => {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }
      writeBelow(home, '.gemini/settings.json', JSON.stringify(settings))
      writeBelow(home, '.gemini/trustedFolders.json', JSON.stringify({ [dirname(home)]: 'TRUST_FOLDER' }))
      return { GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: 'test-key' }
    },
  },
  qwen: {
    name: 'qwen',
    model: null,
    settle: (base, home) => {
      const settings = { security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } }
      writeBelow(home, '.qwen/settings.json', JSON.stringify(settings))
      return { OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: 'test-key', OPENAI_MODEL: 'm' }
    },
  },
  copilot: {
    name: 'copilot',
    model: null,
    settle: (base, home) => {
      writeBelow(home, '.copilot/config.json', JSON.stringify({ trustedFolders: [dirname(home)] }))
      return {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${base}/v1`,
        COPILOT_PROVIDER_API_KEY: 'test-key',
        COPILOT_MODEL: 'm',
      }
    },
  },
} as const satisfies Record<string, Client>

/** In dollars for a million tokens. */
const PRICES = { input: 3, output: 15 }

export function writeBelow(home: string, path: string, text: string): string {
  const target = join(home, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  return target
}
