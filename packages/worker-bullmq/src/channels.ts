/** The default first part of every key and channel. */
export const DEFAULT_PREFIX = 'kgent'

/** Where a sender hears of its calls: a word and a call id. Files hold the rest. */
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
