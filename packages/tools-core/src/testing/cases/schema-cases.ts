import assert from 'node:assert/strict'
import { isPlainObject, type JsonSchema } from '../../json-schema.ts'
import { type CaseGroup, define } from '../case.ts'
import { play } from '../play.ts'

async function sent(driver: Parameters<typeof play>[0]) {
  const { toolsSent, tools } = await play(driver, {})
  const byName = new Map(toolsSent.map((tool) => [tool.name, tool]))
  return {
    toolsSent,
    tools,
    schema: (name: string) => byName.get(name)?.schema ?? assert.fail(`${name} was not sent`),
  }
}

/** What the model is told about the tools. */
export const schemaCases: CaseGroup = (driver) => {
  const { schemaProfile } = driver.capabilities
  const open = schemaProfile === 'plain' ? 'the framework sends plain schemas' : null
  return [
    define('schema/names', 'every tool is sent once, by its own name', async () => {
      const { toolsSent, tools } = await sent(driver)
      assert.deepEqual(toolsSent.map(({ name }) => name).sort(), tools.map(({ name }) => name).sort())
    }),
    define('schema/descriptions', 'descriptions are sent unchanged', async () => {
      const { toolsSent, tools } = await sent(driver)
      for (const { name, description } of tools) {
        assert.equal(toolsSent.find((tool) => tool.name === name)?.description, description)
      }
    }),
    define('schema/properties', 'properties keep their names and types', async () => {
      const properties = (await sent(driver)).schema('add_note').properties
      assert.ok(isPlainObject(properties))
      assert.deepEqual(Object.keys(properties).sort(), ['place', 'tags', 'text', 'times'])
      assert.equal((properties.text as JsonSchema).type, 'string')
    }),
    define(
      'schema/closed',
      'objects refuse unknown keys, at any depth',
      async () => {
        const schema = (await sent(driver)).schema('add_note')
        assert.equal(schema.additionalProperties, false)
        assert.ok(
          JSON.stringify(schema.properties).includes('"additionalProperties":false'),
          'the nested object was opened',
        )
      },
      open,
    ),
    define(
      'schema/required',
      'optional fields and defaults are not required, unless they may be null',
      async () => {
        const { required } = (await sent(driver)).schema('add_note')
        assert.ok(Array.isArray(required))
        const expected = schemaProfile === 'strict' ? ['place', 'tags', 'text', 'times'] : ['text']
        assert.deepEqual([...required].sort(), expected)
      },
    ),
    define('schema/no-arguments', 'a tool without arguments is an object with properties', async () => {
      const schema = (await sent(driver)).schema('get_time')
      assert.equal(schema.type, 'object')
      assert.deepEqual(schema.properties, {})
    }),
    define('schema/json', 'schemas are plain JSON without dangling references', async () => {
      const { toolsSent } = await sent(driver)
      for (const { schema } of toolsSent) {
        assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema)
        assert.ok(!JSON.stringify(schema).includes('"$ref"'))
      }
    }),
  ]
}
