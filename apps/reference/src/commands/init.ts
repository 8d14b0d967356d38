import { existsSync, writeFileSync } from 'node:fs'
import type { AddCommand } from '../run-command.ts'
import { CommandFailure } from '../terminal.ts'

const FILE = 'kgent.config.json'

const TEMPLATE = `{
  // What may be done. A switch that is absent is not set; deny wins over ask, ask over allow, in any order.
  "permissions": {
    "network": false,
    "rules": [
      // Paths are globs over the whole resolved sandbox path. Without wildcards: a folder and all below it.
      { "id": "no-dotenv", "effect": "deny", "permission": "filesystemRead", "paths": ["**/.env*"], "reason": "may hold secrets" }
    ]
  },
  // Further folders that agents may see, read-only unless mode says rw. Relative to this file.
  "sandbox": { "mounts": [] },
  // disabled, candidate (held for a person's review) or external.
  "memory": { "writeMode": "candidate", "scopes": ["default"] },
  // Further key names whose values are masked in the logs.
  "logging": { "redact": [], "required": false }
}
`

export const addInit: AddCommand = (program, terminal) => {
  program
    .command('init')
    .description(`Write a commented ${FILE} into the working folder.`)
    .addHelpText('after', '\nExample:\n  kgent init')
    .action(() => {
      if (existsSync(FILE)) throw new CommandFailure(`${FILE} is already here; nothing was changed.`)
      writeFileSync(FILE, TEMPLATE)
      terminal.out(`Wrote ${FILE}. Try: kgent policy explain --path workspace/.env\n`)
    })
}
