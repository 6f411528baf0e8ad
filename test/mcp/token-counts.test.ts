import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { aRepo } from '../support/repo.ts'
import { connect } from './mcp-client.ts'

test('all tools together take less than 1,300 tokens of a client, and the instructions 200', async () => {
  const repo = aRepo()
  const { client } = await connect(repo)
  const { tools } = await client.listTools()
  const listed = countTokens(JSON.stringify(tools))
  const instructions = countTokens(client.getInstructions() ?? '')
  console.log(`tokens (o200k): ${tools.length} tools ${listed}, instructions ${instructions}`)
  for (const tool of tools) console.log(`  ${tool.name} ${countTokens(JSON.stringify(tool))}`)
  expect(listed).toBeLessThan(1300)
  expect(instructions).toBeLessThan(200)
})
