import { expect } from 'chai';
import { conflictsOf, isExpired, isNotFound, statusError } from '../../../src/kube/status-error.ts';
import { FleetError, toFleetError } from '../../../src/model/fleet-error.ts';

interface Shape {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: object;
}
const refusal = (httpStatus: number, shape: Shape = {}, sent?: unknown): FleetError =>
  statusError({
    httpStatus,
    sent,
    body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: httpStatus, ...shape }),
  });

describe('statusError', () => {
  const object = { name: 'web', kind: 'configmaps' };
  const cases: readonly (readonly [string, number, Shape, string])[] = [
    ['refused credentials', 401, { reason: 'Unauthorized' }, 'ClusterUnauthorized'],
    [
      'a missing right',
      403,
      { reason: 'Forbidden', message: 'pods is forbidden: User "u" cannot list resource "pods"' },
      'Forbidden',
    ],
    [
      'a right beyond ours',
      403,
      {
        reason: 'Forbidden',
        message:
          'roles "r" is forbidden: user "u" (groups=[]) is attempting to grant RBAC permissions not currently held',
      },
      'Forbidden',
    ],
    [
      'a quota',
      403,
      { reason: 'Forbidden', message: 'pods "p" is forbidden: exceeded quota: q' },
      'AdmissionDenied',
    ],
    [
      'a webhook with a status of its own',
      400,
      { reason: 'BadRequest', message: 'admission webhook "v.example.com" denied the request: no' },
      'AdmissionDenied',
    ],
    [
      'a webhook that judges no dry run',
      400,
      { reason: 'BadRequest', message: 'admission webhook "v.example.com" does not support dry run' },
      'AdmissionDenied',
    ],
    [
      'a webhook that is away',
      500,
      { reason: 'InternalError', message: 'Internal error occurred: failed calling webhook "v": dial tcp' },
      'AdmissionDenied',
    ],
    [
      'a policy',
      422,
      {
        reason: 'Invalid',
        message:
          "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
      },
      'AdmissionDenied',
    ],
    [
      'a dying namespace',
      403,
      {
        reason: 'Forbidden',
        details: {
          ...object,
          causes: [{ reason: 'NamespaceTerminating', message: 'x', field: 'metadata.namespace' }],
        },
      },
      'NamespaceTerminating',
    ],
    ['an object that is not there', 404, { reason: 'NotFound', details: object }, 'DependencyFailed'],
    ['a kind that is not served', 404, { reason: 'NotFound', details: {} }, 'KindUnknown'],
    ['a lost race', 409, { reason: 'Conflict', details: object }, 'ApplyConflict'],
    ['an object that is there already', 409, { reason: 'AlreadyExists', details: object }, 'ApplyConflict'],
    ['a full server', 429, { reason: 'TooManyRequests' }, 'RateLimited'],
    ['a server that took too long', 504, { reason: 'Timeout' }, 'DeadlineExceeded'],
    [
      'a server that failed',
      500,
      { reason: 'InternalError', message: 'etcdserver: request timed out' },
      'ServerFailed',
    ],
    ['a forgotten place in the stream', 410, { reason: 'Expired' }, 'ServerFailed'],
    [
      'strict decoding',
      400,
      { reason: 'BadRequest', message: 'strict decoding error: unknown field "spec.x"' },
      'ObjectInvalid',
    ],
    [
      'a patch that does not fit the schema',
      500,
      { message: 'failed to create typed patch object (a/b): .x: field not declared in schema' },
      'ObjectInvalid',
    ],
  ];
  for (const [what, httpStatus, shape, code] of cases) {
    it(`is ${code} for ${what}`, () => {
      expect(refusal(httpStatus, shape).code).to.equal(code);
    });
  }

  it('is FieldImmutable only where nothing else is wrong', () => {
    const cause = (message: string) => ({ reason: 'FieldValueInvalid', field: 'spec.x', message });
    const invalid = (...causes: object[]) =>
      refusal(422, { reason: 'Invalid', details: { ...object, causes } });
    expect(invalid(cause('field is immutable')).code).to.equal('FieldImmutable');
    expect(invalid(cause('may not change once set'), cause('field is immutable')).code).to.equal(
      'FieldImmutable',
    );
    const mixed = invalid(cause('field is immutable'), cause('must be positive'));
    expect(mixed).to.include({
      code: 'ObjectInvalid',
      message: '2 faults: spec.x: field is immutable; spec.x: must be positive',
    });
  });

  it('tells who owns which field', () => {
    const causes = [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl-scale" with subresource "scale" using apps/v1',
        field: '.spec.replicas',
      },
      { reason: 'FieldManagerConflict', message: 'conflict with "a \\"b\\""', field: '.data.a' },
    ];
    const error = refusal(409, {
      reason: 'Conflict',
      message: 'Apply failed with 2 conflicts',
      details: { causes },
    });
    expect(error.code).to.equal('OwnershipConflict');
    expect(conflictsOf(error).map(({ field }) => field)).to.deep.equal(['.spec.replicas', '.data.a']);
    expect(conflictsOf(error)[0]?.manager).to.equal('kubectl-scale');
  });

  it('tells absence apart from everything else, also after the error was told more', () => {
    const absent = refusal(404, { reason: 'NotFound', details: object });
    expect(isNotFound(absent) && isNotFound(toFleetError(absent, { cluster: 'c' }))).to.equal(true);
    const others = [
      refusal(404, { reason: 'NotFound', details: {} }),
      refusal(403, { reason: 'Forbidden' }),
      statusError({ httpStatus: 404, body: '404 page not found\n' }),
      statusError({ httpStatus: 404, body: '<html>not here</html>' }),
      new FleetError('DependencyFailed', 'other'),
      new Error('no'),
    ];
    expect(others.filter(isNotFound)).to.deep.equal([]);
    expect(others.slice(2, 4).map(({ message }) => message)).to.have.length(2);
  });

  it('reads answers that are no Status', () => {
    const codes = ([401, 403, 404, 413, 429, 502, 503, 302] as const).map(
      (httpStatus) => statusError({ httpStatus, body: '<html>' }).code,
    );
    expect(codes).to.deep.equal([
      'ClusterUnauthorized',
      'Forbidden',
      'ClusterUnreachable',
      'ObjectInvalid',
      'RateLimited',
      'ClusterUnreachable',
      'ClusterUnreachable',
      'ClusterUnreachable',
    ]);
    expect(statusError({ httpStatus: 404, body: '404 page not found\n' }).code).to.equal('KindUnknown');
  });

  it('keeps the wait that the server asks for, from header or body', () => {
    expect(statusError({ httpStatus: 429, body: '', retryAfter: '3' }).retryAfterMs).to.equal(3_000);
    expect(refusal(429, { details: { retryAfterSeconds: 2 } }).retryAfterMs).to.equal(2_000);
    expect(
      statusError({ httpStatus: 429, body: '', retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' }).retryAfterMs,
    ).to.equal(undefined);
  });

  it('knows a forgotten place by status and by reason', () => {
    expect(
      [
        refusal(410, { reason: 'Expired' }),
        refusal(410, { reason: 'Gone' }),
        refusal(500, { reason: 'Expired' }),
      ].every(isExpired),
    ).to.equal(true);
    expect(isExpired(refusal(500, { reason: 'InternalError' }))).to.equal(false);
  });
});
