import { isJsonObject, objectAt, stringAt, valueAt } from '../model/json.ts';

const mask = '***';

/**
 * A message of an API server without the values of the Secret that was sent: validation quotes what it refuses.
 * Values count in both forms, base64 and decoded. For any other kind the message stays as it is.
 */
export function maskSecretValues(message: string, sent: unknown): string {
  if (stringAt(sent, 'kind') !== 'Secret' || stringAt(sent, 'apiVersion') !== 'v1') return message;
  const keys = new Set([
    ...Object.keys(objectAt(sent, 'data')),
    ...Object.keys(objectAt(sent, 'stringData')),
  ]);
  const values = [...leaves(valueAt(sent, 'data')).flatMap(bothForms), ...leaves(valueAt(sent, 'stringData'))]
    .filter((value) => value !== '' && !keys.has(value))
    // A short value inside a longer one must not leave the rest of the longer one readable.
    .sort((a, b) => b.length - a.length);
  return values.reduce((masked, value) => maskValue(masked, value), message);
}

function maskValue(message: string, value: string): string {
  const quoted = JSON.stringify(value).slice(1, -1);
  const forms = value.length < 4 ? [`"${quoted}"`, `Value:${value}}`] : [value, quoted];
  return forms.reduce((masked, form) => masked.replaceAll(form, mask), message);
}

function bothForms(value: string): string[] {
  return [value, Buffer.from(value, 'base64').toString('utf8')];
}

function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (isJsonObject(value)) return Object.values(value).flatMap(leaves);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [String(value)]
    : [];
}
