const redacted = '[redacted]';

/** Each kind of credential that a message of Git, an API server or Node may carry, and what is left of it. */
const rules: readonly (readonly [RegExp, string])[] = [
  // A key may be cut short by whoever made the message: then everything to the end is taken for the key.
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, redacted],
  // Everything up to the last @ of the authority: passwords hold unescaped @ more often than they should.
  [/\b([a-z][a-z0-9+.-]*:\/\/)(?!git@)[^\s/?#"'<>]+@/gi, `$1${redacted}@`],
  [/\b(authorization["']?\s*[:=]\s*["']?)[^"'\r\n]+/gi, `$1${redacted}`],
  // A digit tells a credential from the English words that follow 'bearer' and 'basic'.
  [/\b(bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{8,}=*/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]*)?/g, redacted],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA)\w[\w-]{8,}/g, redacted],
  [
    /\b((?:[\w-]*(?:token|password|passwd|secret|signature|api[_-]?key))=)(?!\[redacted\])[^\s&#"'<>]+/gi,
    `$1${redacted}`,
  ],
];

/**
 * Text without credentials: userinfo of URLs, Authorization headers, bearer tokens, JWTs, private keys, well-known
 * token formats and secrets in queries. Redacting twice changes nothing.
 */
export function redact(text: string): string {
  return rules.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
