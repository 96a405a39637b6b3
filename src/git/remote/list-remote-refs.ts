import { FleetError } from '../../model/fleet-error.ts';
import { type GitHttpOptions, requestGit } from './git-http.ts';
import { decodePackets, type Packet } from './pkt-line.ts';
import {
  findServerError,
  lsRefsRequest,
  objectFormatOf,
  parseAdvertisement,
  parseLsRefs,
  type RemoteRef,
} from './remote-refs.ts';

const service = 'git-upload-pack';

/** What a server says of its refs. */
export interface RemoteListing {
  readonly refs: readonly RemoteRef[];
  /** 'sha1' or 'sha256' */
  readonly objectFormat: string;
  /** Where the repository is after redirects, if there were any. */
  readonly url: string;
}

/**
 * The server's refs whose names begin with one of the prefixes: two small requests under protocol version 2,
 * one larger one where the server is older.
 * @throws FleetError GitUnavailable | GitUnauthorized
 */
export async function listRemoteRefs(
  url: string,
  prefixes: readonly string[],
  options: GitHttpOptions,
): Promise<RemoteListing> {
  const first = await requestGit(
    {
      url: `${url}/info/refs?service=${service}`,
      method: 'GET',
      headers: { accept: '*/*', 'git-protocol': 'version=2' },
    },
    options,
  );
  const advertisement = parseAdvertisement(readPackets(first.chunks, options.shown));
  // A renamed repository has told its new address by now.
  const found = {
    url: first.url.replace(/\/info\/refs\?.*$/, ''),
    objectFormat: objectFormatOf(advertisement.capabilities),
  };
  if (advertisement.version === 1) {
    const isWanted = ({ name }: RemoteRef): boolean =>
      prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
    return { ...found, refs: advertisement.refs.filter(isWanted) };
  }
  const second = await requestGit(
    {
      url: `${found.url}/${service}`,
      method: 'POST',
      headers: {
        'content-type': `application/x-${service}-request`,
        accept: `application/x-${service}-result`,
        'git-protocol': 'version=2',
      },
      body: Buffer.from(lsRefsRequest(prefixes, advertisement.capabilities)),
    },
    options,
  );
  return { ...found, refs: parseLsRefs(readPackets(second.chunks, options.shown)) };
}

function readPackets(chunks: readonly Buffer[], shown: string): readonly Packet[] {
  let packets: readonly Packet[];
  try {
    packets = decodePackets(Buffer.concat(chunks));
  } catch {
    throw new FleetError('GitUnavailable', `${shown} answered with something that is not Git`);
  }
  const error = findServerError(packets);
  if (error !== undefined) throw new FleetError('GitUnavailable', `${shown} reports: ${error.slice(0, 200)}`);
  return packets;
}
