import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { scriptedModel } from '../scripted/scripted-model.ts'
import { CommandFailure, EXIT } from '../terminal.ts'

export interface ChosenModel {
  model: LanguageModel
  /** For people: what answers. */
  label: string
  /** Whether a network is used. */
  isRemote: boolean
  /** Values that must never stand in a log. */
  secrets: string[]
}

/** `scripted`, or a model of the OpenAI-compatible endpoint that the environment names. */
export function chooseModel(
  flag: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ChosenModel {
  const { KGENT_BASE_URL: baseURL, KGENT_MODEL: named, KGENT_API_KEY: apiKey } = environment
  if (flag === 'scripted' || (flag === undefined && !baseURL)) {
    return {
      model: scriptedModel(),
      label: 'scripted: a rule-based planner, no network',
      isRemote: false,
      secrets: [],
    }
  }
  if (!baseURL)
    throw new CommandFailure(
      `--model ${flag}: set KGENT_BASE_URL to an OpenAI-compatible endpoint, or use --model scripted.`,
      EXIT.usage,
    )
  const modelId = flag ?? named
  if (!modelId)
    throw new CommandFailure('KGENT_BASE_URL is set: name the model with KGENT_MODEL or --model.', EXIT.usage)
  const provider = createOpenAICompatible({ name: 'endpoint', baseURL, ...(apiKey && { apiKey }) })
  return {
    model: provider(modelId),
    label: `${modelId} behind an OpenAI-compatible endpoint`,
    isRemote: true,
    secrets: apiKey ? [apiKey] : [],
  }
}
