import { plural } from '../text/text-context.ts';
import type { countFindings } from './validation-result.ts';

/** '1 error, 2 warnings' */
export function countsText({ errors, warnings }: ReturnType<typeof countFindings>): string {
  if (errors + warnings === 0) return 'no fault';
  return [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ].join(', ');
}
