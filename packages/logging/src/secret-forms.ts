/** A form that secrets have in text. */
export interface SecretForm {
  readonly name: string
  readonly pattern: RegExp
  /** What stays readable around the mask; `$1` … are the pattern's groups. Default: the mask alone. */
  readonly keep?: string
}

/** Stands in a form's `keep` for the mask. */
export const MASK_PLACE = '\u0000'

const SECRET_NAME = `(?:${[
  'pass(?:word|wd|phrase|code)',
  'secret',
  'token',
  '(?:api|access|private)[_-]?key',
  'credential',
  'authorization',
  'cookie',
].join('|')})`

/**
 * The forms that are looked for in the free text of every line. Small on purpose: it stands on the path of every call;
 * `scanForSecrets` knows many more. Bounded repetitions keep every pattern linear.
 */
export const SECRET_FORMS: readonly SecretForm[] = [
  {
    name: 'private-key',
    pattern: /-----BEGIN[A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  },
  {
    name: 'bearer',
    pattern: /\b(bearer\s+)(?!tokens?\b|auth\w*\b|scheme\b)[\w.~+/=-]{6,}/gi,
    keep: `$1${MASK_PLACE}`,
  },
  {
    name: 'basic-auth',
    pattern: /\b(basic\s+)(?=[A-Za-z]{0,64}[\d+/=])[A-Za-z0-9+/]{8,}={0,2}/gi,
    keep: `$1${MASK_PLACE}`,
  },
  { name: 'jwt', pattern: /\beyJ[\w-]{6,2000}\.[\w-]{4,}(?:\.[\w-]*)?/g },
  {
    name: 'url-credentials',
    pattern: /(:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,512}(?=@)/g,
    keep: `$1${MASK_PLACE}`,
  },
  { name: 'url-credentials', pattern: /(:\/\/)[^\s/:@"'<>]{16,512}(?=@)/g, keep: `$1${MASK_PLACE}` },
  {
    name: 'url-parameter',
    pattern: /([?&](?:sig|signature|key|code|auth)=)[^\s&#"'<>]{6,}/gi,
    keep: `$1${MASK_PLACE}`,
  },
  { name: 'aws-key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { name: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g },
  { name: 'gitlab-token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt)-[\w-]{18,}/g },
  { name: 'slack-token', pattern: /\bx(?:ox[abeoprs]|app)-[\w-]{8,}/g },
  {
    name: 'slack-webhook',
    pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]{8,}/g,
    keep: `$1${MASK_PLACE}`,
  },
  { name: 'model-key', pattern: /\bsk-[\w-]{16,}/g },
  { name: 'google-key', pattern: /\b(?:AIza[\w-]{35}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{20,})/g },
  { name: 'stripe-key', pattern: /\b(?:[rs]k|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g },
  { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: 'pypi-token', pattern: /\bpypi-[\w-]{30,}/g },
  { name: 'sendgrid-key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { name: 'hugging-face-token', pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  {
    name: 'header',
    pattern: /(\b(?:cookie|authorization):\s{1,4})(?=[^\r\n]{0,512}[\d=])[^\r\n"']{4,}/gi,
    keep: `$1${MASK_PLACE}`,
  },
  {
    // NAME_PASSWORD=value, secret=value, also in a query.
    name: 'assignment',
    pattern: new RegExp(String.raw`(${SECRET_NAME}\w{0,32}["']?\s{0,4}=\s{0,4}["']?)[^\s"'&;,<>]{3,}`, 'gi'),
    keep: `$1${MASK_PLACE}`,
  },
  {
    // "apiKey": "value" as in JSON; the name ends with the word, so that tokenCount is none.
    name: 'assignment',
    pattern: new RegExp(
      String.raw`(${SECRET_NAME}s?\\?["']\s{0,4}:\s{0,4}\\?["'])(?:[^"'\\]|\\[^"'])+`,
      'gi',
    ),
    keep: `$1${MASK_PLACE}`,
  },
  {
    // Header lines and YAML: the value must look made up, or every sentence about a password would be masked.
    name: 'assignment',
    pattern: new RegExp(
      String.raw`(\b[\w-]{0,32}${SECRET_NAME}s?:\s{1,4})(?=[^\s"',;]{0,64}\d)[^\s"',;]{6,}`,
      'gi',
    ),
    keep: `$1${MASK_PLACE}`,
  },
]
