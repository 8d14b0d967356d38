/** The value of `work`, or that of `onAbort` as soon as the signal is aborted; `work` goes on unseen. */
export async function untilAborted<T>(
  work: Promise<T>,
  { signal, onAbort }: { signal: AbortSignal | undefined; onAbort: () => T },
): Promise<T> {
  if (!signal) return await work
  let stop = (): void => {}
  const aborted = new Promise<T>((resolve) => {
    stop = () => resolve(onAbort())
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
