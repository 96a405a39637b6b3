import { expect } from 'chai';
import * as fc from 'fast-check';

import { type AuditedWrite, parseAuditLine } from '../../../../src/observe/audit/audit-event.ts';
import { auditLine, type Said, timeAt } from './audit-lines.ts';

function write(said: Said): AuditedWrite | undefined {
  const line = parseAuditLine(auditLine(said));
  return line.kind === 'write' ? line.write : undefined;
}

describe('a line of an audit log', () => {
  it('tells who did what to which object, from where and when', () => {
    expect(write({ object: 'deployments.apps/shop/web', at: 3 })).to.deep.equal({
      place: { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' },
      requester: { manager: 'kubectl', user: 'jane', sourceIPs: ['10.0.0.7'] },
      subresource: '',
      receivedAt: timeAt(3),
      answeredAt: timeAt(3.002),
      effect: 'deleted',
      isOurs: false,
    });
  });

  it('names the manager as the API server does: by the request, else by the program', () => {
    const managerOf = (said: Said): string | undefined => write(said)?.requester.manager;
    expect(managerOf({ agent: 'k9s/v0.50.6 (linux/amd64)' })).to.equal('k9s');
    expect(managerOf({ agent: 'curl' })).to.equal('curl');
    expect(managerOf({ agent: 'a\u0007b/1' })).to.equal('ab');
    const uri = '/api/v1/namespaces/shop/configmaps/web?fieldManager=kubectl-edit&fieldValidation=Strict';
    expect(managerOf({ verb: 'patch', uri })).to.equal('kubectl-edit');
  });

  it('names the user that the request acted for', () => {
    expect(write({ user: 'admin', impersonated: 'bob' })?.requester.user).to.equal('bob');
  });

  it('tells a deletion that is done from one that has begun', () => {
    expect(write({ isGone: false })?.effect).to.equal('deleting');
    expect(write({ verb: 'deletecollection', object: 'configmaps/shop/' })).to.include({
      effect: 'deleting',
    });
  });

  it('tells a creation from an update by its answer, as server-side apply is a patch', () => {
    expect(write({ verb: 'patch', code: 201 })?.effect).to.equal('created');
    expect(write({ verb: 'patch' })?.effect).to.equal('updated');
    expect(write({ verb: 'update', subresource: 'scale' })).to.include({ subresource: 'scale' });
  });

  it('knows a namespace as an object of none', () => {
    expect(write({ object: 'namespaces/shop/shop' })?.place.namespace).to.equal('');
  });

  it('knows our own writes, and not those of others under our name', () => {
    const uri = '/api/v1/namespaces/shop/configmaps/web?fieldManager=fleetwright&force=true';
    expect(write({ verb: 'patch', uri, agent: 'fleetwright' })?.isOurs).to.equal(true);
    expect(write({ verb: 'patch', uri })?.isOurs).to.equal(false);
  });

  const other: Readonly<Record<string, Said>> = {
    'a read': { verb: 'get' },
    'a watch': { verb: 'watch' },
    'a refusal': { code: 403 },
    'a failure': { code: 500 },
    'a request that is not answered yet': { stage: 'RequestReceived' },
    'a status': { verb: 'patch', subresource: 'status' },
    'a dry run': { verb: 'patch', uri: '/api/v1/namespaces/shop/configmaps/web?dryRun=All' },
    'a creation whose name the server made': { verb: 'create', object: 'pods/shop/' },
  };
  for (const [what, said] of Object.entries(other)) {
    it(`is of no interest for ${what}`, () => {
      expect(parseAuditLine(auditLine(said))).to.deep.equal({ kind: 'other' });
    });
  }

  it('is garbage where it is no audit event', () => {
    const whole = auditLine();
    for (const line of [
      '',
      'E1130 12:00:00 no leader',
      '{}',
      'null',
      '{"verb":"delete"}',
      whole.slice(0, 300),
    ])
      expect(parseAuditLine(line), line).to.deep.equal({ kind: 'garbage' });
  });

  it('keeps no more of a text than a name may be long', () => {
    const requester = write({
      user: 'u'.repeat(1_000_000),
      sourceIPs: Array(1_000).fill('10.0.0.1'),
    })?.requester;
    expect(requester?.user).to.have.length(253);
    expect(requester?.sourceIPs).to.have.length(8);
    expect(write({ sourceIPs: ['10.0.0.1', 7, null] })?.requester.sourceIPs).to.deep.equal(['10.0.0.1']);
  });

  it('never throws', () => {
    const event = fc.record({
      kind: fc.constant('Event'),
      apiVersion: fc.constant('audit.k8s.io/v1'),
      verb: fc.constantFrom('delete', 'patch', 'create'),
      stage: fc.constant('ResponseComplete'),
      responseStatus: fc.oneof(fc.constant({ code: 200 }), fc.jsonValue()),
      objectRef: fc.jsonValue(),
      requestURI: fc.oneof(fc.string(), fc.jsonValue()),
      userAgent: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      user: fc.jsonValue(),
      sourceIPs: fc.jsonValue(),
    });
    fc.assert(
      fc.property(event, (any) => {
        expect(['write', 'other']).to.include(parseAuditLine(JSON.stringify(any)).kind);
      }),
    );
  });
});
