import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { LanguageModel } from 'ai'
import { nearestName } from '../nearest-name.ts'
import { type Job, scriptedModel } from '../scripted/scripted-model.ts'
import { CommandFailure, EXIT } from '../terminal.ts'
import { readRecording } from './model-recording.ts'
import { recordModel } from './record-model.ts'
import { replayModel } from './replay-model.ts'

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

export interface ModelWish {
  /** `scripted`, `replay:FILE`, or the name of a model at the endpoint. */
  model?: string | undefined
  /** File to which every answer is added. */
  record?: string | undefined
  job: Job
  cwd: string
  environment: Readonly<Record<string, string | undefined>>
}

const REPLAY = 'replay:'

/** The scripted planner, a recording, or a model of the OpenAI-compatible endpoint that the environment names. */
export async function chooseModel(wish: ModelWish): Promise<ChosenModel> {
  const chosen = await modelOf(wish)
  if (wish.record === undefined) return chosen
  const file = resolve(wish.cwd, wish.record)
  mkdirSync(dirname(file), { recursive: true })
  return { ...chosen, model: recordModel(chosen.model, file), label: `${chosen.label}; recorded to ${file}` }
}

async function modelOf({ model: flag, job, cwd, environment }: ModelWish): Promise<ChosenModel> {
  if (flag?.startsWith(REPLAY)) return replayed(flag.slice(REPLAY.length), cwd)
  const { KGENT_BASE_URL: baseURL, KGENT_MODEL: named, KGENT_API_KEY: apiKey } = environment
  if (flag === SCRIPTED || (flag === undefined && !baseURL)) return scripted(job)
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

function replayed(path: string, cwd: string): ChosenModel {
  if (path === '') throw usage('--model replay:FILE needs the file that --record wrote.')
  return {
    model: replayModel(readRecording(resolve(cwd, path), path), path),
    label: `replay of ${path}: recorded answers, no network; the tools really run`,
    isScripted: false,
    secrets: [],
  }
}

function scripted(job: Job): ChosenModel {
  return {
    model: scriptedModel(job),
    label: `${SCRIPTED}: a rule-based planner, no network; tools, policy, sandbox, log and memory gate are real`,
    isScripted: true,
    secrets: [],
  }
}

function usage(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage)
}
