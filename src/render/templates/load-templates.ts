import { decodeText } from '../../config/yaml/decode-text.ts';
import { toFleetError } from '../../model/fleet-error.ts';
import { compareText } from '../../model/object-ref.ts';
import type { Snapshot, TreeNode } from '../../model/snapshot.ts';
import { listManifests } from '../manifests/manifest-tree.ts';
import type { RenderCache } from '../render-cache.ts';
import { shareWork } from '../share-work.ts';
import { isPartial } from './partials.ts';
import { ParsedSource, type SourceFile, type TemplateSource } from './template-source.ts';

interface Place {
  readonly snapshot: Snapshot;
  readonly path: string;
  readonly node: TreeNode;
}

/** Reads the templates of a source, once for each content. What cannot be read is a fault of the file it is in. */
export async function loadTemplates(place: Place, cache: RenderCache): Promise<TemplateSource> {
  const key = `${place.node.oid} ${place.path}`;
  const known = cache.templates.get(key);
  if (known !== undefined) return known;
  return await shareWork(cache.underWay.templates, key, () => readTemplates(place, { key, cache }));
}

async function readTemplates(
  place: Place,
  { key, cache }: { readonly key: string; readonly cache: RenderCache },
): Promise<TemplateSource> {
  const files = await readFiles(place, cache);
  // What could not be read for a passing reason may be readable next time, and nothing made without it is kept.
  const isWhole = files.every(({ content }) => content.ok || content.error === undefined);
  const folder = folderOf(place);
  if (!isWhole) return new ParsedSource(files, { key, folder });
  const source = new ParsedSource(files, { key, folder, results: cache.files });
  cache.templates.set(
    key,
    source,
    files.reduce((sum, { weight }) => sum + weight, 0),
  );
  return source;
}

/** Weight of a file beyond its text. */
const overhead = 500;

function folderOf({ path, node }: Place): string {
  return node.kind === 'directory' ? path : path.split('/').slice(0, -1).join('/');
}

async function readFiles(place: Place, cache: RenderCache): Promise<SourceFile[]> {
  const { snapshot, path, node } = place;
  const manifests = listManifests(node, path).files.map((file) => file.path);
  const folder = folderOf(place);
  const nameOf = (file: string): string => (folder === '' ? file : file.slice(folder.length + 1));
  const included = new Set(node.kind === 'directory' ? listPartials(node, path, nameOf) : []);
  const paths = [...new Set([...manifests, ...included])].sort(compareText);
  return await Promise.all(
    paths.map((file) =>
      cache.limit(async () => ({
        path: file,
        name: nameOf(file),
        isIncluded: included.has(file),
        ...(await read(snapshot, file)),
      })),
    ),
  );
}

async function read(snapshot: Snapshot, path: string): Promise<Pick<SourceFile, 'content' | 'weight'>> {
  try {
    const bytes = await snapshot.read(path);
    return { content: decodeText(bytes), weight: bytes.byteLength * 2 + overhead };
  } catch (thrown) {
    const error = toFleetError(thrown);
    return { content: { ok: false, message: error.message, error }, weight: 0 };
  }
}

/** Files of any kind that others may include. Links are not among them. */
function listPartials(node: TreeNode, path: string, nameOf: (path: string) => string): string[] {
  if (node.kind === 'file') return isPartial(nameOf(path)) ? [path] : [];
  if (node.kind !== 'directory') return [];
  return [...node.children].flatMap(([name, child]) =>
    listPartials(child, path === '' ? name : `${path}/${name}`, nameOf),
  );
}
