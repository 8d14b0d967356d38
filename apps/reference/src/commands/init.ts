import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddCommand } from '../run-command.ts'
import { CommandFailure } from '../terminal.ts'

const FILE = 'kgent.config.json'

const TEMPLATE = `{
  // Everything here is optional; a key that is absent keeps its default. Lines that begin with // are comments.

  // What may be done. Deny wins over ask, ask over allow, whatever the order and wherever a rule comes from.
  "permissions": {
    "network": false,
    "memoryWrite": true,
    "rules": [
      // Paths are globs over the whole resolved path as agents see it. Without wildcards: a file, or a folder with all below it.
      {
        "id": "no-dotenv",
        "effect": "deny",
        "permission": "filesystemRead",
        "paths": ["**/.env*"],
        "reason": "may hold secrets"
      }
    ]
  },

  // Further folders that agents may see, read-only unless "mode" is "rw"; relative to this file.
  // { "name": "docs", "dir": "./docs" }
  "sandbox": { "mounts": [] },

  // Folders of skills; relative to this file.
  "skills": { "dirs": [] },

  // disabled, candidate (held for a person's review) or external.
  "memory": { "writeMode": "candidate", "scopes": ["default"] },

  // Further key names whose values are masked; "required" refuses calls while the log cannot be written.
  "logging": { "redact": [], "required": false },

  // Leave out tools by name.
  "tools": { "disable": [] }
}
`

/** `kgent init`: a config to begin with. */
export const addInit: AddCommand = (program, { terminal }) => {
  program
    .command('init')
    .description(`Write a commented ${FILE} into the working folder.`)
    .addHelpText('after', '\nExample:\n  kgent init')
    .action(() => {
      writeNew(join(terminal.cwd, FILE))
      terminal.out(`Wrote ${FILE}. Try: kgent policy explain --path workspace/.env\n`)
    })
}

function writeNew(file: string): void {
  try {
    writeFileSync(file, TEMPLATE, { flag: 'wx' })
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST'
        ? `${FILE} is already here; nothing was changed.`
        : `${FILE} cannot be written here (${code}).`,
    )
  }
}
