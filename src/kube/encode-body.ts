/**
 * Characters that JSON allows unescaped and YAML does not take as they are: it refuses DEL and C1 controls, and
 * folds NEL (and, by YAML 1.1, LS and PS) like a line break into a space. Seen on a real API server, which reads the
 * body of a server-side apply as YAML: U+0085 in a ConfigMap was stored as a blank.
 */
const yamlUnsafe = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A body as JSON that reads the same as YAML. */
export function encodeBody(body: unknown): string {
  return JSON.stringify(body).replace(
    yamlUnsafe,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
