import type { CallContext, Sandbox, ToolProgress } from '@kgent/contracts'
import type { Call, CallServices } from './call.ts'
import { oneLine } from './one-line.ts'

/** What a handler gets: the run's interfaces, and those of this one call. */
export function callContext(
  services: CallServices,
  call: Call,
  own: { sandbox: Sandbox; signal: AbortSignal },
): CallContext {
  return {
    ...services.context,
    sandbox: own.sandbox,
    signal: own.signal,
    callId: call.callId,
    toolCallId: call.toolCallId,
    tool: call.toolName,
    attempt: call.attempt,
    progress: (progress) => {
      if (!own.signal.aborted) reportProgress(services, call, progress)
    },
  }
}

function reportProgress(services: CallServices, call: Call, progress: ToolProgress): void {
  const message = oneLine(progress.message)
  services.context.events.record({
    type: 'tool.call.progress',
    callId: call.callId,
    data: { tool: call.toolName, message, ...progress.data },
  })
  try {
    call.options.onProgress?.({ ...progress, message })
  } catch {
    // a listener's fault is not the call's
  }
}
