import { validateSkill } from '@kgent/skills'
import { describe, expect, it } from 'vitest'

/** Files in the shapes that public skills have, with texts of our own. `remarks`: how many lines say what to mend. */
const SHAPES: { shape: string; folder: string; text: string; remarks: number; requests?: string[] }[] = [
  {
    shape: 'name and description only',
    folder: 'brand-voice',
    text: '---\nname: brand-voice\ndescription: Applies the house style to texts.\n---\n\n# Brand voice\n',
    remarks: 0,
  },
  {
    shape: 'a license that names a file',
    folder: 'sheets',
    text: '---\nname: sheets\ndescription: "Makes, reads and mends spreadsheets (.xlsx, .csv)"\nlicense: Proprietary. LICENSE.txt has complete terms\n---\n# Sheets\n',
    remarks: 0,
  },
  {
    shape: 'a folded description',
    folder: 'release-notes',
    text: '---\nname: release-notes\ndescription: >\n  Writes release notes from a list of commits.\n  Use it before a release.\n---\n',
    remarks: 0,
  },
  {
    shape: 'a folded description that keeps no last line end, and a comment line',
    folder: 'diagrams',
    text: '---\n# maintained by the docs team\nname: diagrams\ndescription: >-\n  Draws diagrams as text.\n---\n',
    remarks: 0,
  },
  {
    shape: 'a literal description with a list',
    folder: 'triage',
    text: '---\nname: triage\ndescription: |\n  Sorts incoming reports:\n  - by area\n  - by urgency\n---\n',
    remarks: 0,
  },
  {
    shape: 'tools as text with commas',
    folder: 'commit',
    text: '---\nname: commit\ndescription: Writes commit messages.\nallowed-tools: Bash(git add:*), Bash(git status:*), Read\n---\n',
    remarks: 0,
    requests: ['filesystemRead', 'shell'],
  },
  {
    shape: 'tools as text with blanks',
    folder: 'lint-fix',
    text: '---\nname: lint-fix\ndescription: Mends what the linter names.\nallowed-tools: Read Edit Bash(npm run lint) Grep Glob\n---\n',
    remarks: 0,
    requests: ['filesystemRead', 'filesystemWrite', 'shell'],
  },
  {
    shape: 'tools as a YAML list',
    folder: 'web-research',
    text: '---\nname: web-research\ndescription: Finds and cites sources.\nallowed-tools:\n  - WebFetch\n  - WebSearch\n---\n',
    remarks: 1,
    requests: ['network'],
  },
  {
    shape: 'tools of MCP servers',
    folder: 'tickets',
    text: '---\nname: tickets\ndescription: Works on tickets.\nallowed-tools: mcp__tracker__list_issues Read\n---\n',
    remarks: 1,
    requests: ['filesystemRead'],
  },
  {
    shape: 'version and author at the top level',
    folder: 'api-client',
    text: '---\nname: api-client\ndescription: Generates typed clients.\nversion: 1.2.0\nauthor: Docs Team <docs@example.com>\n---\n',
    remarks: 2,
  },
  {
    shape: 'tags and triggers as lists',
    folder: 'sql-review',
    text: '---\nname: sql-review\ndescription: Reviews queries.\ntags: [sql, review]\ntriggers:\n  - "review this query"\n---\n',
    remarks: 2,
  },
  {
    shape: 'metadata with numbers and truth values',
    folder: 'charts',
    text: '---\nname: charts\ndescription: Draws charts.\nmetadata:\n  version: 1.0\n  beta: true\n  updated: 2026-01-31\n---\n',
    remarks: 0,
  },
  {
    shape: 'metadata with a host’s own structure',
    folder: 'notes-sync',
    text: '---\nname: notes-sync\ndescription: Syncs notes.\nmetadata: {"host": {"requires": {"bins": ["notes"]}, "emoji": "📝"}}\n---\n',
    remarks: 1,
  },
  {
    shape: 'a title as the name',
    folder: 'code-review',
    text: '---\nname: Code Review Guide\ndescription: Reviews changes.\n---\n',
    remarks: 1,
  },
  {
    shape: 'a folder with another name',
    folder: 'pdf_tools',
    text: '---\nname: pdf-tools\ndescription: Reads and fills PDF forms.\n---\n',
    remarks: 1,
  },
  {
    shape: 'a description with an unquoted colon',
    folder: 'standup',
    text: '---\nname: standup\ndescription: Writes the daily note. Triggers: "standup", "what did I do"\n---\n',
    remarks: 1,
  },
  {
    shape: 'a description with examples in angle brackets on one long line',
    folder: 'planner',
    text: `---\nname: planner\ndescription: "Plans work. <example>user: 'plan this'</example> ${'word '.repeat(150)}"\n---\n`,
    remarks: 0,
  },
  {
    shape: 'a description beyond the limit',
    folder: 'everything',
    text: `---\nname: everything\ndescription: ${'Does a great many things. '.repeat(60)}\n---\n`,
    remarks: 1,
  },
  {
    shape: 'switches of one host',
    folder: 'deploy',
    text: '---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\nargument-hint: "[environment]"\nmodel: large\n---\n',
    remarks: 3,
  },
  {
    shape: 'Windows line ends',
    folder: 'onboarding',
    text: '---\r\nname: onboarding\r\ndescription: Welcomes new people.\r\n---\r\n# Welcome\r\n',
    remarks: 0,
  },
  {
    shape: 'quoted name and apostrophes',
    folder: 'faq',
    text: "---\nname: 'faq'\ndescription: 'Answers the team''s questions.'\n---\n",
    remarks: 0,
  },
  {
    shape: 'a description in another script',
    folder: 'report-zh',
    text: '---\nname: report-zh\ndescription: 撰写分析报告。当用户要求“写报告”时使用:先读数据,再写结论。\n---\n# 报告\n',
    remarks: 0,
  },
  {
    shape: 'compatibility and a body with fences of its own',
    folder: 'notebooks',
    text: '---\nname: notebooks\ndescription: Runs notebooks.\ncompatibility: Needs Python 3.11+ and network access\n---\n```yaml\n---\nname: inner\n---\n```\n',
    remarks: 0,
  },
]

describe('skills in public shapes are usable', () => {
  for (const { shape, folder, text, remarks, requests = [] } of SHAPES) {
    it(shape, () => {
      const { skill, findings } = validateSkill(text, { folder })
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(findings).toHaveLength(remarks)
      expect(skill?.requests).toEqual(requests)
    })
  }

  it('which are at least twenty', () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(20)
  })
})
