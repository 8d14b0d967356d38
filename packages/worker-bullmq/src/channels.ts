/** The default first part of every key and channel. */
export const DEFAULT_PREFIX = 'kgent'

/** What one side tells the other over Redis' publish and subscribe: a call id and a word. Files hold the rest. */
export interface Nudge {
  callId: string
  about: 'answer' | 'progress'
}

export function answersChannel(prefix: string, queue: string, sender: string): string {
  return `${prefix}:${queue}:answers:${sender}`
}

/** Where senders say that calls of a queue are to stop. */
export function stopsChannel(prefix: string, queue: string): string {
  return `${prefix}:${queue}:stops`
}

/** A hash of the workers of a queue, each with what it last said of itself. */
export function workersKey(prefix: string, queue: string): string {
  return `${prefix}:${queue}:workers`
}
