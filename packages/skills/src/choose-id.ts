import { type FieldCheck, MAX_NAME_CHARS, shown } from './check-fields.ts'

const SPECIFIED_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** What can be a segment of a sandbox path and a key in a policy, on every system. */
const POSSIBLE_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/

/**
 * The one identity of a skill, for list, load, policy, mount and log: its `name` where that can be an id, else its
 * folder's name. Undefined when neither can.
 */
export function chooseId(check: FieldCheck, folder: string): string | undefined {
  const field = check.fields.get('name')
  const name = typeof field?.value === 'string' ? field.value.trim() : ''
  const line = field?.line ?? null
  if (POSSIBLE_ID.test(name)) {
    if (!SPECIFIED_NAME.test(name)) check.object(line, nameRule(name))
    if (name !== folder) {
      check.object(
        line,
        `The name ${shown(name)} differs from the folder ${shown(folder)}; the skill is known as ${name}.`,
      )
    }
    return name
  }
  return folderAsId(check, { name, folder, line })
}

function folderAsId(
  { refuse, object }: FieldCheck,
  given: { name: string; folder: string; line: number | null },
): string | undefined {
  const { name, folder, line } = given
  const fault = name === '' ? 'The name is missing.' : nameRule(name)
  if (!POSSIBLE_ID.test(folder)) {
    refuse(line, `${fault} The folder's name ${shown(folder)} cannot stand in for it.`)
    return undefined
  }
  object(line, `${fault} The skill is known by its folder as ${folder}.`)
  return folder
}

function nameRule(name: string): string {
  const length = [...name].length
  if (length > MAX_NAME_CHARS)
    return `The name has ${length} characters; at most ${MAX_NAME_CHARS} are allowed.`
  return `The name ${shown(name)} should be lower-case letters and digits with single hyphens between them.`
}
