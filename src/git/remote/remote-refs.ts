import { delimiterPacket, encodePacket, flushPacket, type Packet } from './pkt-line.ts';

/** One ref of a server. For an annotated tag `oid` is the tag object and `peeled` what it points to. */
export interface RemoteRef {
  readonly name: string;
  readonly oid: string;
  readonly peeled?: string;
}

/** What a server says first: under version 2 what it can do, before that simply all its refs. */
export type Advertisement =
  | { readonly version: 2; readonly capabilities: ReadonlyMap<string, string> }
  | {
      readonly version: 1;
      readonly capabilities: ReadonlyMap<string, string>;
      readonly refs: readonly RemoteRef[];
    };

/**
 * Reads the answer to `GET info/refs?service=git-upload-pack`.
 * Sources: Documentation/gitprotocol-v2 and gitprotocol-http.
 */
export function parseAdvertisement(packets: readonly Packet[]): Advertisement {
  const lines = linesOf(packets).filter((line) => !line.startsWith('# service='));
  if (lines[0] === 'version 2') return { version: 2, capabilities: capabilitiesOf(lines.slice(1)) };
  const [first = '', capabilities = ''] = (lines[0] ?? '').split('\0');
  const names =
    lines.length === 0 ? [] : [first, ...lines.slice(1)].filter((line) => !line.startsWith('version '));
  return { version: 1, capabilities: capabilitiesOf(capabilities.split(' ')), refs: parseOldRefs(names) };
}

/** The body of an `ls-refs` command for refs whose names begin with one of the prefixes; all refs without any. */
export function lsRefsRequest(
  prefixes: readonly string[],
  capabilities: ReadonlyMap<string, string>,
): string {
  const given = [
    ...(capabilities.has('agent') ? [encodePacket('agent=git/fleetwright\n')] : []),
    ...(capabilities.has('object-format')
      ? [encodePacket(`object-format=${objectFormatOf(capabilities)}\n`)]
      : []),
  ];
  const wanted = ['peel\n', ...prefixes.map((prefix) => `ref-prefix ${prefix}\n`)].map(encodePacket);
  return [encodePacket('command=ls-refs\n'), ...given, delimiterPacket, ...wanted, flushPacket].join('');
}

/** Reads the answer to `ls-refs`: '<oid> <name> [peeled:<oid>]' lines. */
export function parseLsRefs(packets: readonly Packet[]): RemoteRef[] {
  return linesOf(packets).flatMap((line) => {
    const [oid = '', name = '', ...attributes] = line.split(' ');
    if (!isOid(oid)) return [];
    const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'))?.slice('peeled:'.length);
    return [{ name, oid, ...(peeled === undefined ? {} : { peeled }) }];
  });
}

/** 'sha1' or 'sha256'; servers that say nothing have the first. */
export function objectFormatOf(capabilities: ReadonlyMap<string, string>): string {
  return capabilities.get('object-format') ?? 'sha1';
}

/** True for a full id, SHA-1 or SHA-256. */
export function isOid(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** A server reports a failure within a well-formed answer as a line that begins with ERR. */
export function findServerError(packets: readonly Packet[]): string | undefined {
  return linesOf(packets)
    .find((line) => line.startsWith('ERR '))
    ?.slice('ERR '.length);
}

function linesOf(packets: readonly Packet[]): string[] {
  return packets.flatMap((packet) => (packet.kind === 'data' ? [packet.text] : []));
}

function capabilitiesOf(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words
      .filter((word) => word !== '')
      .map((word) => [word.replace(/=.*$/, ''), word.replace(/^[^=]*=?/, '')] as const),
  );
}

/** Before version 2 a tag's target comes as a line of its own, the name followed by ^{}. */
function parseOldRefs(lines: readonly string[]): RemoteRef[] {
  const pairs = lines
    .map((line) => ({ oid: line.replace(/ .*$/, ''), name: line.replace(/^[^ ]* /, '') }))
    .filter(({ oid }) => isOid(oid));
  const peeled = new Map(
    pairs
      .filter(({ name }) => name.endsWith('^{}'))
      .map(({ oid, name }) => [name.slice(0, -3), oid] as const),
  );
  return pairs
    .filter(({ name }) => !name.endsWith('^{}'))
    .map(({ oid, name }) => {
      const target = peeled.get(name);
      return { name, oid, ...(target === undefined ? {} : { peeled: target }) };
    });
}
