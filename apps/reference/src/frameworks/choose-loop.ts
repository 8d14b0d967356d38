import type { AgentLoop } from './agent-loop.ts'

/** The frameworks that can run the loop. */
export const FRAMEWORKS = ['ai-sdk', 'langchain'] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** The loop of a framework; loaded when it is asked for, as each brings much with it. */
export async function loopOf(framework: Framework): Promise<AgentLoop> {
  if (framework === 'langchain') return (await import('./langchain-loop.ts')).langchainLoop
  return (await import('./ai-sdk-loop.ts')).aiSdkLoop
}
