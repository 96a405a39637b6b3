const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;

/**
 * Whether a text is an amount such as '500m', '1.5Gi' or '2e3'.
 * Source: k8s.io/apimachinery pkg/api/resource, ParseQuantity.
 */
export function isQuantity(text: string): boolean {
  return decimal.test(text);
}
