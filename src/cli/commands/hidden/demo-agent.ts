import { playDemoAgent } from '../../../scheduler/demo/play-demo-agent.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'

export default async function demoAgent(this: CallContext, _flags: GlobalFlags, prompt: string): Promise<void> {
  for await (const sentence of playDemoAgent(prompt, { cwd: this.cwd, env: this.env })) {
    this.out.write(`${sentence}\n`)
    this.out.flush()
  }
}
