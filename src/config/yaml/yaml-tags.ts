const coreTag = 'tag:yaml.org,2002:';

/** The name of a tag of YAML's own, 'int' for 'tag:yaml.org,2002:int'; any other tag as it is. */
export function coreTagOf(tag: string): string {
  return tag.startsWith(coreTag) ? tag.slice(coreTag.length) : tag;
}

/** '!!int' for 'tag:yaml.org,2002:int'. */
export function shortTag(tag: string): string {
  return tag.startsWith(coreTag) ? `!!${tag.slice(coreTag.length)}` : tag;
}

/** The full name of a tag as it is written; handles declared by %TAG are resolved. */
export function fullTag(raw: string, handles: ReadonlyMap<string, string>): string {
  if (raw === '!') return raw;
  if (raw.startsWith('!<')) return raw.slice(2, -1);
  const handleEnd = raw.indexOf('!', 1) + 1;
  const handle = handleEnd === 0 ? '!' : raw.slice(0, handleEnd);
  const prefix = handles.get(handle) ?? (handle === '!!' ? coreTag : handle);
  return prefix + raw.slice(handle.length);
}

export function isMergeTag(tag: string): boolean {
  return tag === `${coreTag}merge`;
}

/** What YAML's own tags make of a list or a map in JSON. */
const collections = { seq: ['!', 'seq', 'omap', 'pairs'], map: ['!', 'map', 'set'] };

/** Why a list or a map cannot have a tag, or undefined. A tag that says nothing to kubectl meant something to whoever wrote it. */
export function checkCollectionTag(tag: string, kind: 'seq' | 'map'): string | undefined {
  return collections[kind].includes(coreTagOf(tag)) ? undefined : `unknown tag ${shortTag(tag)}`;
}
