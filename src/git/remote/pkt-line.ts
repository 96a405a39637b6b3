/** One packet of Git's wire format; the special ones carry nothing. */
export type Packet =
  { readonly kind: 'data'; readonly text: string } | { readonly kind: 'flush' | 'delimiter' | 'end' };

/** A data packet. Source: Documentation/gitprotocol-common, "pkt-line Format". */
export function encodePacket(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

export const flushPacket = '0000';
export const delimiterPacket = '0001';

/**
 * The packets of a complete answer; a line's final newline is not part of its text.
 * @throws Error when the bytes are no packets.
 */
export function decodePackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  let at = 0;
  while (at < bytes.length) {
    const prefix = bytes.toString('latin1', at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(prefix)) throw new Error('a packet has no length');
    const length = Number.parseInt(prefix, 16);
    if (length < 4) {
      packets.push({ kind: specialKind(length) });
      at += 4;
      continue;
    }
    if (at + length > bytes.length) throw new Error('a packet ends early');
    packets.push({ kind: 'data', text: bytes.toString('utf8', at + 4, at + length).replace(/\n$/, '') });
    at += length;
  }
  return packets;
}

function specialKind(length: number): 'flush' | 'delimiter' | 'end' {
  switch (length) {
    case 0:
      return 'flush';
    case 1:
      return 'delimiter';
    case 2:
      return 'end';
    default:
      throw new Error('a packet has an impossible length');
  }
}
