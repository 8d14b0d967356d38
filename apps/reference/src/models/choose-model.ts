import type { LanguageModel } from 'ai'
import { nearestName } from '../nearest-name.ts'
import { scriptedModel } from '../scripted/scripted-model.ts'
import { CommandFailure, EXIT } from '../terminal.ts'

/** Name of the planner that needs no network. */
export const SCRIPTED = 'scripted'

export interface ChosenModel {
  model: LanguageModel
  /** For people: what answers. */
  label: string
  isScripted: boolean
  /** Values that must never stand in a log. */
  secrets: string[]
}

/** The scripted planner, or a model of the OpenAI-compatible endpoint that the environment names. */
export async function chooseModel(
  flag: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChosenModel> {
  const { KGENT_BASE_URL: baseURL, KGENT_MODEL: named, KGENT_API_KEY: apiKey } = environment
  if (flag === SCRIPTED || (flag === undefined && !baseURL)) return scripted()
  const modelId = flag ?? named
  if (!baseURL)
    throw usage(
      nearestName(flag ?? '', [SCRIPTED]) === undefined
        ? `--model ${flag}: set KGENT_BASE_URL to an OpenAI-compatible endpoint, or use --model ${SCRIPTED}.`
        : `--model ${flag}: did you mean ${SCRIPTED}? For another model, set KGENT_BASE_URL.`,
    )
  if (!URL.canParse(baseURL))
    throw usage('KGENT_BASE_URL is no address; it looks like http://localhost:11434/v1.')
  if (!modelId) throw usage('KGENT_BASE_URL is set: name the model with KGENT_MODEL or --model.')
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({ name: 'endpoint', baseURL, ...(apiKey && { apiKey }) })
  return {
    model: provider(modelId),
    label: `${modelId} at ${new URL(baseURL).host}`,
    isScripted: false,
    secrets: apiKey ? [apiKey] : [],
  }
}

function scripted(): ChosenModel {
  return {
    model: scriptedModel(),
    label: `${SCRIPTED}: a rule-based planner, no network; tools, policy, sandbox, log and memory gate are real`,
    isScripted: true,
    secrets: [],
  }
}

function usage(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage)
}
