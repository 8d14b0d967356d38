import { type LanguageModel, wrapLanguageModel } from 'ai'
import type { ScriptedModel } from '../scripted/scripted-model.ts'
import { promptKey, recordAnswer, type StreamPart } from './model-recording.ts'

/** The same model, with every answer that came to its end added to a file. */
export function recordModel(model: LanguageModel, file: string): LanguageModel {
  return wrapLanguageModel({
    model: model as ScriptedModel,
    middleware: {
      specificationVersion: 'v3',
      async wrapStream({ doStream, params }) {
        const { stream, ...rest } = await doStream()
        return { ...rest, stream: stream.pipeThrough(recorder(promptKey(params), file)) }
      },
    },
  })
}

function recorder(key: string, file: string): TransformStream<StreamPart, StreamPart> {
  const parts: StreamPart[] = []
  return new TransformStream({
    transform(part, controller) {
      // Raw chunks and errors are not what a model said.
      if (part.type !== 'raw' && part.type !== 'error') parts.push(part)
      if (part.type === 'finish') recordAnswer(file, { v: 1, key, parts })
      controller.enqueue(part)
    },
  })
}
