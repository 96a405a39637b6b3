import type { FleetError } from '../../model/fleet-error.ts';

import { remedyOf } from '../remedy.ts';
import type { Row } from './table.ts';
import { originText, refSpans } from './text-context.ts';
import { span } from './styled-text.ts';

/**
 * An error over a few lines: code, place in Git, object; the message with every cause on a line of its own; and
 * what to do about it.
 */
export function errorRows(error: FleetError, indent: number): Row[] {
  const { ref, origin } = error.subject;
  const place = origin === undefined ? '' : originText(origin);
  return [
    {
      indent,
      cells: [
        [
          span('! ', 'red'),
          span(error.code, 'red'),
          ...(place === '' ? [] : ['  ', span(place, 'cyan')]),
          ...(ref === undefined ? [] : ['  ', ...refSpans(ref)]),
        ],
      ],
    },
    ...messageRows(error, indent + 4),
  ];
}

/** An error whose object and place stand on the line above. */
export function messageRows(error: FleetError, indent: number): Row[] {
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  return [...lines.map((line) => ({ indent, cells: [line] })), ...remedyRows(error, indent)];
}

/** Errors of a whole list; the remedy of a code is said once, under its last error. */
export function errorListRows(errors: readonly FleetError[], indent: number): Row[] {
  return errors.flatMap((error, index) => {
    const rows = errorRows(error, indent);
    const next = errors[index + 1];
    const isSaidBelow = next?.code === error.code && remedyOf(next) !== undefined;
    return isSaidBelow && remedyOf(error) !== undefined ? rows.slice(0, -1) : rows;
  });
}

function remedyRows(error: FleetError, indent: number): Row[] {
  const remedy = remedyOf(error);
  return remedy === undefined ? [] : [{ indent, cells: [span(`→ ${remedy}`, 'dim')] }];
}
