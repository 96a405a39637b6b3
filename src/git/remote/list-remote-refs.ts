import { FleetError } from '../../model/fleet-error.ts';
import { type GitHttpOptions, requestGit } from './git-http.ts';
import { decodePackets, type Packet } from './pkt-line.ts';
import {
  type Advertisement,
  findServerError,
  lsRefsRequest,
  parseAdvertisement,
  parseLsRefs,
  type RemoteRef,
} from './remote-refs.ts';

const service = 'git-upload-pack';

/**
 * The server's refs whose names begin with one of the prefixes: two small requests under protocol version 2,
 * one larger one where the server is older.
 * @throws FleetError GitUnavailable | GitUnauthorized
 */
export async function listRemoteRefs(
  url: string,
  prefixes: readonly string[],
  options: GitHttpOptions,
): Promise<readonly RemoteRef[]> {
  const first = await requestGit(
    {
      url: `${url}/info/refs?service=${service}`,
      method: 'GET',
      headers: { accept: '*/*', 'git-protocol': 'version=2' },
    },
    options,
  );
  const advertisement = readAdvertisement(first.chunks, options.shown);
  if (advertisement.version === 1) {
    return advertisement.refs.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
  }
  // A renamed repository has told its new address by now.
  const base = first.url.replace(/\/info\/refs\?.*$/, '');
  const second = await requestGit(
    {
      url: `${base}/${service}`,
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
  return parseLsRefs(readPackets(second.chunks, options.shown));
}

function readAdvertisement(chunks: readonly Buffer[], shown: string): Advertisement {
  const advertisement = parseAdvertisement(readPackets(chunks, shown));
  const format = advertisement.capabilities.get('object-format') ?? 'sha1';
  if (format !== 'sha1') {
    throw new FleetError(
      'GitUnavailable',
      `${shown} uses ${format} object ids, which the embedded Git cannot read`,
    );
  }
  return advertisement;
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
