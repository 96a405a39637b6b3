import type { Finding, Place } from '../../model/finding.ts';
import { originIn } from '../generators/generator-fault.ts';
import type { FleetRepository } from '../repository/fleet-repository.ts';

/** A warning of a rendering, whose first words say where it is: a place in a file, a generator or a cluster's folder. */
export function findingOfWarning(warning: string, repository: FleetRepository): Finding {
  const base = { severity: 'warning', code: 'RenderWarning' } as const;
  const [, start = '', rest] = /^([^\s]+): (.*)$/s.exec(warning) ?? [];
  const place = placeNamed(start, repository);
  return place === undefined || rest === undefined
    ? { ...base, message: warning }
    : { ...base, message: rest, ...place };
}

function placeNamed(
  start: string,
  { generators, directories }: FleetRepository,
): Pick<Finding, 'place' | 'generator'> | undefined {
  const directory = [...directories.values()].find(({ path }) => path === start);
  if (directory !== undefined) return { place: { file: directory.path }, generator: directory.path };
  const entry = generators.find((each) => each.state === 'valid' && each.generator.name === start);
  if (entry?.state === 'valid') {
    const { generator, ...place } = originIn(entry, ['metadata', 'name']);
    return { place, generator };
  }
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/.exec(start) ?? [];
  if (file === undefined) return undefined;
  const place: Place = { file, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  return { place };
}
