import { z } from 'zod'

/** The hash that a file must have for a write to go on. */
export const expectedHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits: the sha256 that read_file gave')
  .optional()
  .describe('sha256 that the file must still have, from read_file')
