import { SECRET_FORMS } from './secret-forms.ts'

/**
 * Names the kinds of secrets that a text seems to hold (`github-token`, `aws` …), sorted; none: an empty list. Slower
 * than a redactor and knows many more forms: for texts that are about to be kept, such as memory candidates.
 */
export async function scanForSecrets(text: string): Promise<string[]> {
  const own = SECRET_FORMS.filter(({ pattern }) => text.search(pattern) >= 0).map(({ name }) => name)
  const found = new Set([...own, ...(await scanWithSecretlint(text))])
  return [...found].sort()
}

const RULE_PREFIX = '@secretlint/secretlint-rule-'

async function scanWithSecretlint(text: string): Promise<string[]> {
  // Imported at the first scan: it costs ten times what the rest of this package does.
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: [{ id: `${RULE_PREFIX}preset-recommend`, rule: creator, options: {} }] },
    },
  })
  return messages.map(({ ruleId }) => ruleId.replace(RULE_PREFIX, ''))
}
