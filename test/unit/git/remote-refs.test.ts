import { expect } from 'chai';
import { candidateNames, chooseRef } from '../../../src/git/remote/choose-ref.ts';
import { decodePackets, encodePacket } from '../../../src/git/remote/pkt-line.ts';
import {
  findServerError,
  lsRefsRequest,
  parseAdvertisement,
  parseLsRefs,
} from '../../../src/git/remote/remote-refs.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const packets = (...lines: readonly string[]): ReturnType<typeof decodePackets> =>
  decodePackets(Buffer.from(`${lines.map(encodePacket).join('')}0000`));

describe('packets', () => {
  it('come back as they were sent, without their final newline', () => {
    expect(decodePackets(Buffer.from(`${encodePacket('köln\n')}0001${encodePacket('')}0002`))).to.deep.equal([
      { kind: 'data', text: 'köln' },
      { kind: 'delimiter' },
      { kind: 'data', text: '' },
      { kind: 'end' },
    ]);
  });
  for (const bytes of ['<html>', '0009abc', '0003', '00']) {
    it(`are not '${bytes}'`, () => {
      expect(() => decodePackets(Buffer.from(bytes))).to.throw(Error);
    });
  }
});

describe('what a server advertises', () => {
  it('under version 2 is what it can do', () => {
    const given = parseAdvertisement(
      packets('# service=git-upload-pack\n', 'version 2\n', 'ls-refs=unborn\n', 'object-format=sha1\n'),
    );
    expect(given.version).to.equal(2);
    expect(given.capabilities.get('object-format')).to.equal('sha1');
  });

  it('before that is every ref, a tag with its target', () => {
    const given = parseAdvertisement(
      packets(
        `${a} HEAD\0multi_ack symref=HEAD:refs/heads/main agent=git/2\n`,
        `${a} refs/heads/main\n`,
        `${b} refs/tags/v1\n`,
        `${a} refs/tags/v1^{}\n`,
      ),
    );
    expect(given).to.deep.include({
      version: 1,
      refs: [
        { name: 'HEAD', oid: a },
        { name: 'refs/heads/main', oid: a },
        { name: 'refs/tags/v1', oid: b, peeled: a },
      ],
    });
  });

  it('is no ref for an empty repository', () => {
    const given = parseAdvertisement(packets(`${'0'.repeat(40)} capabilities^{}\0agent=git/2\n`));
    expect(given).to.have.deep.property('refs', []);
    expect(parseAdvertisement([])).to.have.deep.property('refs', []);
  });
});

describe('ls-refs', () => {
  it('asks for the prefixes alone', () => {
    const body = lsRefsRequest(['refs/heads/main'], new Map([['agent', 'git/2']]));
    expect(
      decodePackets(Buffer.from(body)).map((packet) => (packet.kind === 'data' ? packet.text : packet.kind)),
    ).to.deep.equal([
      'command=ls-refs',
      'agent=git/fleetwright',
      'delimiter',
      'peel',
      'ref-prefix refs/heads/main',
      'flush',
    ]);
  });

  it('answers with names, ids and targets', () => {
    expect(parseLsRefs(packets(`${b} refs/tags/v1 peeled:${a}\n`, `${a} refs/heads/main\n`))).to.deep.equal([
      { name: 'refs/tags/v1', oid: b, peeled: a },
      { name: 'refs/heads/main', oid: a },
    ]);
  });

  it('may answer with an error', () => {
    expect(findServerError(packets('ERR access denied\n'))).to.equal('access denied');
    expect(findServerError(packets(`${a} HEAD\n`))).to.equal(undefined);
  });
});

describe('chooseRef', () => {
  const branch = { name: 'refs/heads/rel', oid: a };
  const tag = { name: 'refs/tags/rel', oid: b, peeled: a };

  it('takes a short name for a branch or a tag', () => {
    expect(candidateNames('rel')).to.deep.equal(['refs/heads/rel', 'refs/tags/rel']);
    expect(candidateNames('refs/pull/1/head')).to.deep.equal(['refs/pull/1/head']);
    expect(candidateNames('HEAD')).to.deep.equal(['HEAD']);
  });
  it('gives the commit behind an annotated tag', () => {
    expect(chooseRef('rel', [tag])).to.deep.equal({ name: 'refs/tags/rel', oid: b, commit: a });
  });
  it('leaves a choice between two to a person', () => {
    expect(() => chooseRef('rel', [branch, tag])).to.throw(FleetError, 'both a branch and a tag');
    expect(chooseRef('refs/heads/rel', [branch, tag])).to.deep.equal({
      name: 'refs/heads/rel',
      oid: a,
      commit: a,
    });
  });
  it('takes no other name that begins alike', () => {
    expect(chooseRef('rel', [{ name: 'refs/heads/release', oid: a }])).to.equal(undefined);
  });
});
