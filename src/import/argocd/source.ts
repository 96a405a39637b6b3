import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import { checkRepository, checkRevision } from '../repository.ts';
import { constantText, liquidText } from '../template/template.ts';
import type { Translate } from '../template/translator.ts';
import type { ArgoContext } from './combination.ts';
import { readHelm } from './helm-source.ts';
import { readKustomize } from './kustomize-source.ts';

export interface SourceParts {
  readonly sourcePath: string;
  /** undefined: found out by the files. */
  readonly render?: JsonObject;
  readonly patches: readonly JsonObject[];
}

export interface SourcePlace {
  readonly translate: Translate;
  readonly context: ArgoContext;
  /** The Application's name, as Liquid. */
  readonly releaseName: string;
  readonly refs: ReadonlySet<string>;
}

/** `source` of an Application: what is rendered, and how. */
export function readSource(reader: MapReader, place: SourcePlace): SourceParts {
  const chart = reader.text('chart');
  const sourcePath =
    chart === undefined ? pathOf(reader, place) : pathOfChart(reader, { chart, translate: place.translate });
  for (const key of ['ref', 'name', 'tagPrefix']) reader.any(key);
  reader.note('unsupported', 'plugin', {
    message: 'a plugin that renders has no equal',
    remedy: 'Commit what it renders, or write the source as a template, a Kustomization or a chart.',
  });
  const helm = reader.map('helm');
  const kustomize = reader.map('kustomize');
  const directory = reader.map('directory');
  const parts = (): Omit<SourceParts, 'sourcePath'> => {
    if (helm !== undefined || chart !== undefined) {
      const { translate, releaseName, refs } = place;
      const render =
        helm === undefined
          ? { type: 'helm', helm: { releaseName } }
          : readHelm(helm, { translate, sourcePath, releaseName, refs });
      return { render, patches: [] };
    }
    if (kustomize !== undefined) return readKustomize(kustomize);
    if (directory !== undefined) return readDirectory(directory);
    tellSubfolders(reader, 'path');
    return { patches: [] };
  };
  const found = { sourcePath, ...parts() };
  reader.end();
  return found;
}

function pathOf(reader: MapReader, { translate, context }: SourcePlace): string {
  checkRepository(reader.text('repoURL'), [...reader.path, 'repoURL'], context);
  checkRevision(reader.text('targetRevision'), [...reader.path, 'targetRevision'], context.notes);
  const path = liquidText(translate(reader.text('path') ?? '', [...reader.path, 'path']));
  const plain = path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
  return plain === '' ? '.' : plain;
}

/** A chart of a chart repository is vendored; the folder is where `helm pull` would put it. */
function pathOfChart(
  reader: MapReader,
  { chart, translate }: { readonly chart: string; readonly translate: Translate },
): string {
  const url = reader.text('repoURL') ?? '';
  const version = reader.text('targetRevision') ?? '';
  reader.any('path');
  const template = translate(version, [...reader.path, 'targetRevision']);
  const name =
    liquidText(translate(chart, [...reader.path, 'chart']))
      .split('/')
      .at(-1) ?? chart;
  const isConstant = constantText(template) !== undefined;
  const folder = isConstant ? 'charts' : `charts/${liquidText(template)}`;
  const from = /^https?:\/\//.test(url)
    ? `${name} --repo ${url}`
    : `oci://${url.replace(/^oci:\/\//, '')}/${chart}`;
  const pull = `helm pull ${from}${version === '' ? '' : ` --version ${isConstant ? version : 'VERSION'}`}`;
  reader.notes.add('unsupported', [...reader.path, 'chart'], {
    message: 'charts are not fetched: they are read from the fleet repository',
    remedy: `Vendor ${isConstant ? 'it' : 'each version that is used'}: ${pull} --untar --untardir ${isConstant ? folder : 'charts/VERSION'}`,
  });
  return `${folder}/${name}`;
}

function readDirectory(directory: MapReader): Omit<SourceParts, 'sourcePath'> {
  const recurses = directory.flag('recurse') ?? false;
  if (!recurses) tellSubfolders(directory, 'recurse');
  for (const key of ['include', 'exclude']) {
    directory.note('unsupported', key, {
      message: 'files of a source are not chosen by name: every .yaml, .yml and .json in it counts',
      remedy: 'Move what is not meant out of the folder.',
    });
  }
  directory.note('unsupported', 'jsonnet', {
    message: 'Jsonnet has no equal',
    remedy: 'Commit what it gives.',
  });
  directory.any('disableExtensionFilter');
  directory.end();
  return { render: { type: 'plain' }, patches: [] };
}

function tellSubfolders(reader: MapReader, key: string): void {
  reader.notes.add('changed', [...reader.path, key], {
    message: 'of plain manifests those in subfolders count, too',
  });
}
