import type { PolicyWarning, SandboxMountInfo } from '@kgent/contracts'

/** Writable mounts inside read-only ones: the constraint of the outer one holds for all below it. */
export function nestedMountWarnings(mounts: readonly SandboxMountInfo[]): PolicyWarning[] {
  const readOnly = mounts.filter(({ mode }) => mode === 'ro')
  return mounts
    .filter(({ mode }) => mode === 'rw')
    .flatMap(({ name }) => {
      const outer = readOnly.find((mount) => name.startsWith(`${mount.name}/`))
      const message = `cannot be written, because it lies in the read-only mount ${outer?.name}`
      return outer ? [{ place: `sandbox mount ${name}`, message }] : []
    })
}
