import type { DirectoryNode } from '../../../model/snapshot.ts';
import type { ToolFault } from '../kustomize/kustomize-fault.ts';
import { type Chart, fileInChart } from './chart.ts';

/** 'shop/templates/web.yaml:12:3', as helm writes it before what it complains of. */
const position = /(?<path>[\w.@+-]+(?:\/[\w.@+-]+)+):(?<line>\d+)(?::(?<column>\d+))?\)?:?/g;
const noise = [
  /^level=\w+ msg=.*$/gm,
  /^Use --debug flag to render out invalid YAML$/gm,
  /^Error: /m,
  /^(?:INSTALLATION FAILED|template): /m,
];
const missing = /missing in charts\/ directory: (?<names>.+)$/m;

/**
 * What helm complains of, with the innermost place that is a file of the repository: the template that calls is less
 * telling than the one that fails. `stderr` names files from the fleet's root.
 */
export function helmFault(stderr: string, chart: Chart, tree: DirectoryNode): ToolFault {
  const text = noise.reduce((current, pattern) => current.replace(pattern, ''), stderr).trim();
  const names = missing.exec(text)?.groups?.['names'];
  if (names !== undefined) {
    const message = `dependencies are not vendored: ${names}; run helm dependency update ${chart.folder} and commit ${chart.folder}/charts/`;
    return { message, file: chart.file, line: 1 };
  }
  const places = [...text.matchAll(position)].flatMap((match) => {
    const { path = '', line, column } = match.groups ?? {};
    const file = fileInChart(chart, path, tree);
    return file === undefined ? [] : [{ match, file, line: Number(line), column }];
  });
  const innermost = places.at(-1);
  if (innermost === undefined) return faultWithoutPosition(text, chart, tree);
  const { match, file, line, column } = innermost;
  const rest = oneLine(text.slice(match.index + match[0].length));
  const message = rest.replace(/^(?:\): )?executing "[^"]*" /, '').replace(/^\): /, '');
  // helm counts columns from 0.
  return {
    message: message || oneLine(text),
    file,
    line,
    ...(column === undefined ? {} : { column: Number(column) + 1 }),
  };
}

/** 'YAML parse error on shop/templates/web.yaml: …', and all that is about the chart as a whole. */
function faultWithoutPosition(text: string, chart: Chart, tree: DirectoryNode): ToolFault {
  const message = oneLine(text);
  const parse = /YAML parse error on (?<path>\S+): (?:error converting YAML to JSON: )?(?<rest>.*)/.exec(
    message,
  );
  const file = parse === null ? undefined : fileInChart(chart, parse.groups?.['path'] ?? '', tree);
  if (file !== undefined) {
    return { message: `what the template gives is no YAML: ${parse?.groups?.['rest'] ?? ''}`, file, line: 1 };
  }
  const values = /failed to parse (?<path>\S+): (?<rest>.*?(?:line (?<line>\d+).*)?)$/.exec(message)?.groups;
  if (values !== undefined) {
    return { message: values['rest'] ?? '', file: values['path'] ?? '', line: Number(values['line'] ?? 1) };
  }
  return { message, file: chart.file, line: 1 };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
