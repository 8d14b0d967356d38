import { fstatSync, readSync } from 'node:fs'

/** Reads up to `length` bytes from a place in an open file, into a buffer of its own or the one given; fewer where the file ends. */
export function readBytes(
  descriptor: number,
  position: number,
  length: number,
  buffer: Buffer = Buffer.allocUnsafe(length),
): Buffer {
  let filled = 0
  while (filled < length) {
    const count = readSync(descriptor, buffer, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

/** Reads a whole open file of at most `maxBytes`; null when it is larger. */
export function readWhole(descriptor: number, maxBytes: number): Buffer | null {
  const { size } = fstatSync(descriptor)
  if (size > maxBytes) return null
  const bytes = readBytes(descriptor, 0, size)
  const more = readBytes(descriptor, bytes.length, Math.min(64 * 1024, maxBytes - bytes.length + 1))
  if (more.length === 0) return bytes
  return bytes.length + more.length > maxBytes ? null : Buffer.concat([bytes, more])
}
