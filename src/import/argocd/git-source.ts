import type { ParameterSource, Resolution } from '../template/scope.ts';
import { type Variable, variablePart } from '../template/template.ts';

const normalised = 'every "_" becomes "-"; other characters that no name may hold are left as they are';
const normalise = ' | downcase | replace: "_", "-"';

/** The parameters of git directories: `path` and its parts, below a prefix where the generator sets one. */
export function directorySource(prefix: string | undefined): ParameterSource {
  return {
    isOpen: false,
    resolve(path) {
      const rest = afterPrefix(path, prefix);
      return rest && directoryParameter(rest);
    },
  };
}

function directoryParameter([first, second]: readonly (string | number)[]): Resolution | undefined {
  if (first === undefined || first === 'path') return variable(['item', 'directory', 'path']);
  if (typeof first === 'number') return variable(['item', 'directory', 'segments', first]);
  if (first === 'segments')
    return variable(['item', 'directory', 'segments', ...(second === undefined ? [] : [second])]);
  if (first === 'basename') return variable(['item', 'directory', 'name']);
  if (first === 'basenameNormalized') return expression(`item.directory.name${normalise}`, normalised);
  return undefined;
}

/** The parameters of git files: what is in the file, which is not at hand, and where the file lies. */
export function fileSource(prefix: string | undefined): ParameterSource {
  return {
    isOpen: true,
    resolve(path) {
      if (path.length === 0) return undefined;
      const rest = afterPrefix(path, prefix);
      return rest === undefined ? variable(['item', ...path]) : fileParameter(rest);
    },
  };
}

function fileParameter([first, second]: readonly (string | number)[]): Resolution | undefined {
  const segment = first === 'segments' ? second : first;
  if (typeof segment === 'number') {
    return expression(`item.file.directory | split: "/" | slice: ${segment} | first`);
  }
  switch (first) {
    case undefined:
    case 'path':
      return variable(['item', 'file', 'directory']);
    case 'filename':
      return variable(['item', 'file', 'name']);
    case 'basename':
      return expression('item.file.directory | split: "/" | last');
    case 'basenameNormalized':
      return expression(`item.file.directory | split: "/" | last${normalise}`, normalised);
    case 'filenameNormalized':
      return expression(`item.file.name${normalise}`, normalised);
    case 'segments':
      return expression('item.file.directory | split: "/"');
    default:
      return undefined;
  }
}

/** What follows 'path' (or 'prefix.path'); undefined for another parameter. */
function afterPrefix(
  path: readonly (string | number)[],
  prefix: string | undefined,
): readonly (string | number)[] | undefined {
  const start = prefix === undefined ? ['path'] : [prefix, 'path'];
  return start.every((step, index) => path[index] === step) ? path.slice(start.length) : undefined;
}

function variable(steps: Variable): Resolution {
  return { ok: true, template: [variablePart(steps)] };
}

function expression(text: string, difference?: string): Resolution {
  return {
    ok: true,
    template: [{ kind: 'output', expression: text }],
    ...(difference !== undefined && { difference }),
  };
}
