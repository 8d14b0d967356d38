// Records calls through the traced logger with the real SDK and prints the spans as JSON.
import type { ToolCallDraft } from '@kgent/logging'
import { createOtelToolLogger, recordToSpan } from '@kgent/logging/otel'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const tracer = provider.getTracer('kgent')
const records: ToolCallDraft[] = JSON.parse(process.argv[2] ?? '[]')

const kept: unknown[] = []
const logger = createOtelToolLogger(
  {
    required: true,
    failure: null,
    record: (record) => void kept.push(record),
    recordError: (entry) => void kept.push(entry),
    flush: async () => {},
  },
  { tracer },
)
const [first, ...others] = records
if (first) recordToSpan(first, { tracer })
for (const record of others) logger.record(record)

const spans = exporter
  .getFinishedSpans()
  .map(({ name, kind, startTime, duration, status, attributes, events }) => ({
    name,
    kind,
    startTime,
    duration,
    status,
    attributes,
    events,
  }))
console.log(JSON.stringify({ spans, kept: kept.length }))
