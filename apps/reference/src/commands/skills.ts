import { checkSkills, createSkillRegistry, type SkillCheck, type SkillFinding } from '@kgent/skills'
import type { Command } from 'commander'
import type { AddCommand } from '../run-command.ts'
import { folderAt, ownPath } from '../shared-options.ts'
import { EXIT, printJson, type Terminal } from '../terminal.ts'

interface Flags {
  json?: boolean
  strict?: boolean
}

/** `kgent skills`: for authors of skills, and for their CI. */
export const addSkills: AddCommand = (program, { terminal, done }) => {
  const skills = program
    .command('skills')
    .description('List and check folders of skills. Runs nothing of them.')
  addList(skills, terminal)
  skills
    .command('check <dir>')
    .description('Validate every SKILL.md below a folder; problems with their lines.')
    .option('--strict', 'only what the public format allows')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent skills check ./skills --strict')
    .action(async (dir: string, flags: Flags) => {
      const check = await checkSkills({
        dir: folderAt(dir, { cwd: terminal.cwd, option: 'folder' }),
        ...(flags.strict && { strict: true }),
      })
      if (flags.json) printJson(terminal, check)
      else terminal.out(textOf(check))
      done(check.ok ? EXIT.ok : EXIT.failed)
    })
}

function addList(skills: Command, terminal: Terminal): void {
  skills
    .command('list [dir]')
    .description('List the skills of a folder (default: those that come with kgent) and what loading costs.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kgent skills list ./skills')
    .action(async (dir: string | undefined, flags: Flags) => {
      const root =
        dir === undefined ? ownPath('skills') : folderAt(dir, { cwd: terminal.cwd, option: 'folder' })
      const list = await (await createSkillRegistry({ roots: [{ dir: root }] })).list()
      if (flags.json) return printJson(terminal, list)
      for (const { id, bytes, tokens, description } of list.skills) {
        terminal.out(
          `${id.padEnd(24)} ${String(bytes).padStart(7)} bytes, about ${tokens} tokens  ${description}\n`,
        )
      }
      for (const { file, reason } of list.problems) terminal.out(`problem  ${file}: ${reason}\n`)
    })
}

function textOf({ skills, problems, skipped, ok }: SkillCheck): string {
  const lines = [
    ...skills.flatMap(({ file, id, findings }) => [
      `${id === null ? 'unusable' : 'usable  '}  ${file}`,
      ...findings.map((finding) => `          ${findingText(finding)}`),
    ]),
    ...problems.map(({ file, reason }) => `problem   ${file}: ${reason}`),
    ...skipped.map(({ file, reason }) => `skipped   ${file}: ${reason}`),
    ok ? `${skills.length} skills, no problems.` : 'There are problems.',
  ]
  return `${lines.join('\n')}\n`
}

function findingText({ line, message }: SkillFinding): string {
  return line === null ? message : `line ${line}: ${message}`
}
