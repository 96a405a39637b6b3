import type { DesiredObject } from '../../../model/desired.ts';
import type { FleetError } from '../../../model/fleet-error.ts';
import { jsonEqual } from '../../../model/json.ts';
import { formatRef } from '../../../model/object-ref.ts';
import type { Origin } from '../../../model/origin.ts';
import { readManifestFile } from '../../manifests/read-manifests.ts';
import type { RenderedSource } from '../../render-source.ts';
import { locateObject } from '../locate-object.ts';
import type { RenderRequest } from '../renderer.ts';
import { type OutputPart, readToolOutput } from '../tool-output.ts';
import { entryAt, faultAt } from '../tool-rendering.ts';
import { type Chart, fileInChart } from './chart.ts';
import { appliesHook, hookEventsOf } from './hooks.ts';

/** The objects in what `helm template` prints, each with the template that it comes from, without hooks that do not count. */
export async function readHelmOutput(
  request: RenderRequest,
  chart: Chart,
  text: string,
): Promise<RenderedSource> {
  const { generator, namespace, helm, signal } = request;
  const objects: DesiredObject[] = [];
  const faults: FleetError[] = [];
  const skipped: string[] = [];
  for (const part of await readToolOutput(text, signal)) {
    for (const { ref, manifest } of part.objects) {
      const events = hookEventsOf(manifest);
      if (events.length > 0 && !appliesHook(events, helm.hooks)) {
        skipped.push(`${ref.kind}/${ref.name} (${events.join(', ')})`);
        continue;
      }
      const origin = await findOrigin(request, chart, { part, ref });
      objects.push({ ref, manifest, origin, defaultNamespace: namespace });
    }
    for (const { message } of part.faults) {
      const file = fileOf(request, chart, part);
      faults.push(
        faultAt(`what helm gives for ${part.title}: ${message}`, { generator, file, document: 1, line: 1 }),
      );
    }
  }
  return { objects, faults, ...warningsOf(request, skipped) };
}

function warningsOf(
  { generator }: RenderRequest,
  skipped: readonly string[],
): Pick<RenderedSource, 'warnings'> {
  if (skipped.length === 0) return {};
  const hooks = skipped.length === 1 ? '1 hook is' : `${skipped.length} hooks are`;
  return { warnings: [`${generator}: ${hooks} not applied: ${skipped.join(', ')}`] };
}

function fileOf({ snapshot }: RenderRequest, chart: Chart, { source }: OutputPart): string {
  return (source === undefined ? undefined : fileInChart(chart, source, snapshot.tree)) ?? chart.file;
}

/** The template's file, and the object's place in it where it stands there as it is, such as in a CRD's file. */
async function findOrigin(
  request: RenderRequest,
  chart: Chart,
  { part, ref }: { readonly part: OutputPart; readonly ref: DesiredObject['ref'] },
): Promise<Origin> {
  const { snapshot, generator, cache } = request;
  const file = fileOf(request, chart, part);
  const entry = file === chart.file || file.endsWith('.tgz') ? undefined : entryAt(snapshot, file);
  const found =
    entry === undefined ? undefined : locateObject(await readManifestFile(snapshot, entry, cache), ref);
  return { generator, file, document: found?.document ?? 1, line: found?.line ?? 1 };
}

/** The objects of which two renderings of one chart do not agree. */
export function changedObjects(a: RenderedSource, b: RenderedSource): string[] {
  const manifests = new Map(b.objects.map(({ ref, manifest }) => [formatRef(ref), manifest]));
  return a.objects
    .filter(({ ref, manifest }) => !jsonEqual(manifest, manifests.get(formatRef(ref))))
    .map(({ ref }) => formatRef(ref));
}
