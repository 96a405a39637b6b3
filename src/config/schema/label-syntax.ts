/**
 * The syntax of names and labels. Each function tells what is wrong, or undefined.
 * Source: k8s.io/apimachinery pkg/util/validation.
 */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** A name of DNS form, as clusters, generators and fleets have. */
export function faultOfName(name: string, maxLength = 253): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > maxLength) return `must be no longer than ${maxLength} characters`;
  if (!subdomain.test(name)) {
    return `${JSON.stringify(name)} must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`;
  }
  return undefined;
}

/** A label's key: an optional DNS prefix and a name of at most 63 characters. */
export function faultOfLabelKey(key: string): string | undefined {
  const slash = key.indexOf('/');
  const name = slash < 0 ? key : key.slice(slash + 1);
  if (slash >= 0) {
    const fault = faultOfName(key.slice(0, slash));
    if (fault !== undefined) return `the prefix of key ${JSON.stringify(key)} is no DNS name: ${fault}`;
  }
  if (name.length === 0 || name.length > 63 || !namePart.test(name)) {
    return `key ${JSON.stringify(key)} must have 1 to 63 letters, digits, '-', '_' or '.', and begin and end with a letter or digit`;
  }
  return undefined;
}

/** A label's value: at most 63 characters, possibly none. */
export function faultOfLabelValue(value: string): string | undefined {
  if (value === '') return undefined;
  if (value.length > 63 || !namePart.test(value)) {
    return `value ${JSON.stringify(value)} must have at most 63 letters, digits, '-', '_' or '.', and begin and end with a letter or digit`;
  }
  return undefined;
}
