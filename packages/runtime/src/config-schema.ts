import { z } from 'zod'

const positive = z.int().min(1)
const text = z.string().min(1)

const rule = z.strictObject({
  id: text.optional(),
  effect: z.enum(['allow', 'deny', 'ask']),
  permission: text.describe('A permission such as filesystemWrite or crm.write, or * for every one'),
  paths: z
    .array(text)
    .optional()
    .describe('Globs over the whole resolved sandbox path, e.g. inputs/.private/**'),
  tools: z.array(text).optional(),
  scopes: z.array(text).optional(),
  reason: text.optional(),
})

const permissions = z.strictObject({
  filesystemRead: z.boolean().optional(),
  filesystemWrite: z.boolean().optional(),
  filesystemDelete: z.boolean().optional(),
  shell: z.boolean().optional(),
  network: z.boolean().optional(),
  memoryWrite: z.boolean().optional(),
  mode: z
    .enum(['enforce', 'observe'])
    .optional()
    .describe('observe: report what would be refused, and let it run'),
  rules: z.array(rule).optional(),
})

const mount = z.strictObject({
  name: text.describe('Name that agents see: <name>/<path>'),
  dir: text.describe('Folder on this machine; relative to the config file'),
  mode: z.enum(['ro', 'rw']).optional().describe('Default ro'),
  hardLinks: z.enum(['allow', 'refuse']).optional(),
})

const sandbox = z.strictObject({
  mounts: z.array(mount).optional(),
  durability: z.enum(['os', 'disk']).optional(),
  limits: z
    .strictObject({
      maxReadBytes: positive.optional(),
      maxReadLines: positive.optional(),
      maxLineChars: positive.optional(),
      maxWriteBytes: positive.optional(),
      maxListEntries: positive.optional(),
      maxGrepMatches: positive.optional(),
      maxGrepLineChars: positive.optional(),
      grepTimeoutMs: positive.optional(),
    })
    .optional(),
})

const skills = z.strictObject({
  dirs: z.array(text).optional().describe('Folders of skills; relative to the config file'),
  budget: z.strictObject({ maxLoaded: positive.optional(), maxBytes: positive.optional() }).optional(),
})

const memory = z.strictObject({
  writeMode: z.enum(['disabled', 'candidate', 'external']).optional().describe('Default candidate'),
  scopes: z
    .array(text)
    .min(1)
    .optional()
    .describe('Scopes that the agent may use. Default: one, named default'),
  maxRecall: positive.optional(),
  maxContentBytes: positive.optional(),
  timeoutMs: positive.optional(),
  external: z
    .strictObject({ url: z.url().describe('Base address of a memory service'), tokenEnv: text.optional() })
    .optional()
    .describe('A memory service that speaks the small HTTP interface of @kgent/memory'),
})

const logging = z.strictObject({
  redact: z.array(text).optional().describe('Further key names whose values are masked'),
  durability: z.enum(['os', 'disk']).optional().describe('disk: also wait until the disk has the line'),
  required: z.boolean().optional().describe('Refuse calls while the log cannot be written'),
})

const tools = z.strictObject({
  enable: z.array(text).optional().describe('Only these tools. [] is none'),
  disable: z.array(text).optional(),
  limits: z
    .strictObject({
      maxInlineBytes: positive.optional(),
      callTimeoutMs: positive.optional(),
      approvalTimeoutMs: positive.optional(),
    })
    .optional(),
})

/** Schema of `kgent.config.json`. Every part is optional; unknown keys and wrong types stop the start. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  permissions: permissions.optional(),
  sandbox: sandbox.optional(),
  skills: skills.optional(),
  memory: memory.optional(),
  logging: logging.optional(),
  tools: tools.optional(),
})

/** The content of `kgent.config.json`. */
export type KgentConfig = z.input<typeof configSchema>

/** The published JSON Schema of `kgent.config.json`, made from the same source as the check. */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configSchema, { target: 'draft-07', io: 'input' }) as Record<string, unknown>
}
