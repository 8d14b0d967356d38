import type { ScriptedModel } from '../scripted/scripted-model.ts'
import { promptKey, type RecordedAnswer, type StreamPart } from './model-recording.ts'

/** A model that answers from a recording, and from nothing else: what was not asked before is an error. */
export function replayModel(answers: ReadonlyMap<string, RecordedAnswer>, shown: string): ScriptedModel {
  let asked = 0
  return {
    specificationVersion: 'v3',
    provider: 'kgent',
    modelId: 'replay',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('A recording holds streamed answers only.')
    },
    async doStream(options) {
      asked += 1
      const answer = answers.get(promptKey(options))
      if (answer) return { stream: streamOf(answer.parts) }
      throw new Error(
        `${shown} holds no answer to question ${asked} of this run: its input, tools, skills or task differ from ` +
          'those that were recorded. Record it again with --record.',
      )
    },
  }
}

function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
