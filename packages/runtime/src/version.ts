import { createRequire } from 'node:module'

/** Version of the kgent packages, which are released together. */
export const KGENT_VERSION: string = createRequire(import.meta.url)('../package.json').version
