import OpenAI from 'openai'
import OpenAI6 from 'openai6'

/** The client of each major that the package is for. The types are those of 7. */
export const SDKS: readonly { major: 6 | 7; Client: typeof OpenAI }[] = [
  { major: 6, Client: OpenAI6 as unknown as typeof OpenAI },
  { major: 7, Client: OpenAI },
]

export const WAYS = ['runTools', 'runTools with stream'] as const

/** The two ways into the loop. */
export type Way = (typeof WAYS)[number]
