import { linkSync } from 'node:fs'
import type { CaseDefinition } from '../case-definition.ts'

/** Hard links: a name inside for content that belongs to something outside. */
export const hardLinkCases: CaseDefinition[] = [
  {
    id: 'hard-links/write',
    name: 'writing to a second name of an outside file does not change that file',
    needs: ['unix'],
    prepare: (tree) => linkSync(`${tree.outside}/secret.txt`, tree.at('h')),
    run: async (guard) => void (await guard.write('workspace/h')),
  },
  {
    id: 'hard-links/read-only',
    name: 'writing to a second name of a file in a read-only mount does not change that file',
    needs: ['unix', 'readOnlyMounts'],
    prepare: (tree) => linkSync(`${tree.reference}/doc.txt`, tree.at('h')),
    run: async (guard) => void (await guard.write('workspace/h')),
  },
  {
    id: 'hard-links/read',
    name: 'a second name of an outside file is neither read nor searched',
    needs: ['unix', 'hardLinks'],
    prepare: (tree) => linkSync(`${tree.outside}/secret.txt`, tree.at('h')),
    async run(guard, { canary }) {
      await guard.refusesToRead('workspace/h')
      await guard.grep(canary.slice(0, 6))
    },
  },
]
