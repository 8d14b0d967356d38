import type { Middleware } from '@anthropic-ai/sdk/core/middleware'
import { InputEvents } from './input-events.ts'

/**
 * For the `middleware` of a client. Without it the SDK throws at the first input in a stream that is no JSON, and the
 * loop ends. Repairs nothing: the text is handed on within an object, so that the SDK and the API can keep it, and the
 * core refuses it in its own words. Pieces of an input come when it is complete; everything else at once.
 */
export const keepMalformedInput: Middleware = async (request, next) => {
  const response = await next(request)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!response.body || !isStream) return response
  const events = new InputEvents()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const rewrite = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      for (const event of events.read(decoder.decode(chunk, { stream: true })))
        out.enqueue(encoder.encode(event))
    },
    flush: (out) => out.enqueue(encoder.encode(events.rest() + decoder.decode())),
  })
  return new Response(response.body.pipeThrough(rewrite), response)
}
