import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

// Tests read the source of every package, so that nothing has to be built before them.
// Not `module`: what is found by it is written for bundlers and does not load in Node.
const conditions = ['@kgent/source', ...defaultServerConditions.filter((condition) => condition !== 'module')]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ['./test/property-tests.setup.ts'],
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'templates/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    typecheck: {
      enabled: true,
      include: ['packages/*/test/**/*.test-d.ts', 'apps/*/test/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
      // Errors outside the `*.test-d.ts` files are for `npm run check` to report.
      ignoreSourceErrors: true,
    },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**', 'apps/*/src/**'],
      reportsDirectory: 'coverage',
    },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
