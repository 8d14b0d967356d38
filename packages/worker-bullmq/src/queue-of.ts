import type { Permission, PermissionRequest } from '@kgent/contracts'

/** The queue of each base permission. A custom permission (`crm.write`) is a queue of its own name. */
const QUEUES: Readonly<Record<string, string>> = {
  filesystemRead: 'read',
  filesystemWrite: 'write',
  memoryWrite: 'write',
  network: 'network',
  filesystemDelete: 'delete',
  shell: 'shell',
}

/** From the least to the most dangerous; custom ones stand before `network`. */
const ORDER = ['read', 'write', 'network', 'delete', 'shell']

/** The queue for one permission. Characters that a Redis key pattern or BullMQ reads otherwise become `_`. */
export function queueOfPermission(permission: Permission): string {
  if (Object.hasOwn(QUEUES, permission)) return QUEUES[permission] as string
  return permission.replace(/[^A-Za-z0-9._-]/g, '_')
}

/**
 * The queue that a call is placed in: that of the most dangerous permission that it needs. A call that needs none, or
 * only reads, is placed in `read`.
 */
export function queueOf(requests: readonly Pick<PermissionRequest, 'permission'>[]): string {
  const queues = requests.map(({ permission }) => queueOfPermission(permission))
  return [...queues].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1))[0] ?? 'read'
}

function rank(queue: string): number {
  const known = ORDER.indexOf(queue)
  return known === -1 ? 1.5 : known
}
