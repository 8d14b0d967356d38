import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

// Shared by every package, which runs it in its own folder: the entries are read from the manifest there,
// so that an entry is written down once.
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

function entries(): Record<string, string> {
  const outputs: string[] = [
    ...Object.values<Record<string, string> | string>(manifest.exports ?? {}).flatMap((target) =>
      typeof target === 'object' && target.default ? [target.default] : [],
    ),
    ...Object.values<string>(manifest.bin ?? {}),
  ]
  const names = outputs.map((output) => output.replace(/^\.\/dist\//, '').replace(/\.js$/, ''))
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
}

export default defineConfig({
  entry: entries(),
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  // Declarations are written by `tsc` beside these files.
  dts: false,
  clean: ['!**/*.d.ts'],
  skipNodeModulesBundle: true,
  silent: true,
})
