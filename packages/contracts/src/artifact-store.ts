import type { Outcome } from './error-info.ts'

/** Content that was too large to stand in a result or a log. */
export interface ArtifactRef {
  /** Sandbox path for `read_file`, e.g. `artifacts/3f9c….json`. */
  path: string
  bytes: number
  sha256: string
  mediaType: string
}

export interface ArtifactInput {
  content: string | Uint8Array
  /** Default: `text/plain`. */
  mediaType?: string
}

/** Keeps large content. **Contract:** same content is stored once; never rejects. */
export interface ArtifactStore {
  put(artifact: ArtifactInput): Promise<Outcome<ArtifactRef>>
}
