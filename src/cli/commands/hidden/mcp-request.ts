import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { readInput } from '../../terminal/input.ts'

export default async function mcpRequest(this: CallContext, _flags: GlobalFlags): Promise<void> {
  const { answer } = await this.mcp()
  this.out.write(`${await answer(this, readInput(this, '-'))}\n`)
}
