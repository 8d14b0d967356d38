import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AddCommand } from '../run-command.ts'
import { CommandFailure } from '../terminal.ts'

const FILE = 'kgent.config.json'
const SKILL_FILE = 'skills/house-rules/SKILL.md'

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
  "skills": { "dirs": ["./skills"] },

  // disabled, candidate (held for a person's review) or external.
  "memory": { "writeMode": "candidate", "scopes": ["default"] },

  // Further key names whose values are masked; "required" refuses calls while the log cannot be written.
  "logging": { "redact": [], "required": false },

  // Leave out tools by name.
  "tools": { "disable": [] }
}
`

const SKILL = `---
name: house-rules
description: How reports are written here. Load it before writing anything below deliverables/.
license: MIT
metadata:
  version: "1"
  # A skill can only ask. Nothing is granted by it: kgent policy explain says who grants what.
  # kgent-permissions: network
---

# House rules

- Say first what a reader has to do, then why.
- Name file and line for everything that you claim.
- Write what you did not look at, and why.
`

/** `kgent init`: a config and a skill to begin with. */
export const addInit: AddCommand = (program, { terminal }) => {
  program
    .command('init')
    .description(`Write a commented ${FILE} and a sample skill into the working folder.`)
    .addHelpText('after', '\nExample:\n  kgent init')
    .action(() => {
      const files = [
        [FILE, TEMPLATE],
        [SKILL_FILE, SKILL],
      ] as const
      for (const [file] of files) refuseExisting(terminal.cwd, file)
      for (const [file, text] of files) writeNew(terminal.cwd, { file, text })
      terminal.out(
        `Wrote ${FILE} and ${SKILL_FILE}.\nTry: kgent policy explain --path workspace/.env\nTry: kgent skills check skills\n`,
      )
    })
}

function refuseExisting(cwd: string, file: string): void {
  if (existsSync(join(cwd, file))) throw new CommandFailure(`${file} is already here; nothing was changed.`)
}

function writeNew(cwd: string, { file, text }: { file: string; text: string }): void {
  try {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), text, { flag: 'wx' })
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    throw new CommandFailure(`${file} cannot be written here (${code}).`)
  }
}
