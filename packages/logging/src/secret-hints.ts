// Every form and every masked key holds one of these. They are short and begin with rare letters on purpose, and are
// kept apart, because each line of a log is searched for them: one pattern of all forms costs three times as much.

const RARE_TEXTS = [
  '@',
  '?',
  '&',
  'PRIVATE KEY',
  'github_pat_',
  'gl',
  'hooks.slack',
  'xox',
  'xapp-',
  'k-',
  'k_',
  'whsec_',
  'AIza',
  'GOCSPX-',
  'npm_',
  'pypi-',
  'SG.',
]

const RARE_PATTERNS = [
  /A[KSBC][IC]A/,
  /y(?:J|a29)/,
  /h[pousrf]_/,
  // Inner parts of token, key, cookie; password and its kin; secret, credential; pwd; authorization; bearer; basic.
  /[kK][eEiI][nNyYeE]|[sS]{2}[wWpPcC]|[cC][rR][eE][tTdD]|[pP][wW][dD]|[rR][iI][zZ]|[rR][eE][rR][\s\\]|[sS][iI][cC][\s\\]/,
]

/** Whether a text, or JSON text, can hold anything that is masked by form or by key. Quick; errs to the side of yes. */
export function hintsAtSecret(text: string): boolean {
  for (const rare of RARE_TEXTS) if (text.includes(rare)) return true
  for (const rare of RARE_PATTERNS) if (rare.test(text)) return true
  return false
}
