import { BASE_PERMISSIONS, type Permission } from '@kgent/contracts'

/** Permissions that a skill asks for, and the words in its request that ask for nothing. */
export interface ReadRequests {
  permissions: Permission[]
  unknown: string[]
}

/** What tools of agentskills hosts, and kgent's own, would need. Null: needs nothing that a policy speaks of. */
const TOOL_PERMISSIONS: Readonly<Record<string, readonly Permission[] | null>> = {
  read: ['filesystemRead'],
  glob: ['filesystemRead'],
  grep: ['filesystemRead'],
  ls: ['filesystemRead'],
  read_file: ['filesystemRead'],
  list_files: ['filesystemRead'],
  grep_files: ['filesystemRead'],
  write: ['filesystemWrite'],
  edit: ['filesystemRead', 'filesystemWrite'],
  multiedit: ['filesystemRead', 'filesystemWrite'],
  notebookedit: ['filesystemRead', 'filesystemWrite'],
  write_file: ['filesystemWrite'],
  edit_file: ['filesystemRead', 'filesystemWrite'],
  bash: ['shell'],
  shell: ['shell'],
  webfetch: ['network'],
  websearch: ['network'],
  write_memory: ['memoryWrite'],
  recall_memory: null,
  list_skills: null,
  load_skill: null,
  skill: null,
  task: null,
  todowrite: null,
  askuserquestion: null,
}

/** Reads `allowed-tools`: names with optional arguments in brackets, between blanks or commas. */
export function requestsOfTools(text: string): ReadRequests {
  const tools = [...text.matchAll(/[^\s,(]+(?:\([^)]*\))?/g)].map(([word]) => word)
  const permissions = new Set<Permission>()
  const unknown: string[] = []
  for (const tool of tools) {
    const name = tool.replace(/\(.*$/s, '').toLowerCase()
    const needed = Object.hasOwn(TOOL_PERMISSIONS, name) ? TOOL_PERMISSIONS[name] : undefined
    if (needed === undefined) unknown.push(tool)
    for (const permission of needed ?? []) permissions.add(permission)
  }
  return { permissions: [...permissions], unknown }
}

const PERMISSION_NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

/** Reads `metadata.kgent-permissions`: permission names between blanks or commas. */
export function requestsOfPermissions(text: string): ReadRequests {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const names = words.filter((word) => PERMISSION_NAME.test(word) && !misspelt(word))
  return { permissions: [...new Set(names)], unknown: words.filter((word) => !names.includes(word)) }
}

/** A base permission in another spelling would ask for a custom permission that nobody grants. */
function misspelt(word: string): boolean {
  const plain = (name: string) => name.replace(/[._-]/g, '').toLowerCase()
  return BASE_PERMISSIONS.some((base) => base !== word && plain(base) === plain(word))
}
