import { expect } from 'chai';
import fc from 'fast-check';

import { redact } from '../../../src/telemetry/redact.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----`;

describe('redact', () => {
  const cases: readonly [string, string, string][] = [
    [
      'a password in a URL',
      'clone https://bot:s3cr@t@git.example.com/a.git',
      'clone https://[redacted]@git.example.com/a.git',
    ],
    ['a token as the user of a URL', 'https://ghs16digits@github.com/', 'https://[redacted]@github.com/'],
    ['a bearer token', 'sent Bearer abc.DEF_123-xyz=', 'sent Bearer [redacted]'],
    ['a header', '"Authorization: Basic Ym90OnRvaw=="', '"Authorization: [redacted]"'],
    ['a header in JSON', '{"authorization":"token zyx"}', '{"authorization":"[redacted]"}'],
    ['a JWT', `token ${jwt}.`, 'token [redacted].'],
    ['a private key', `a ${key} b`, 'a [redacted] b'],
    ['a private key cut short', 'a -----BEGIN PRIVATE KEY-----\nMII', 'a [redacted]'],
    ['a token of GitHub', 'with ghp_abcdefghij0123456789', 'with [redacted]'],
    ['a secret in a query', 'GET /x?a=1&access_token=abc&b=2', 'GET /x?a=1&access_token=[redacted]&b=2'],
    ['a setting', 'client-secret=abc', 'client-secret=[redacted]'],
  ];
  for (const [what, text, expected] of cases) {
    it(`takes out ${what}`, () => {
      expect(redact(text)).to.equal(expected);
    });
  }

  const harmless = [
    'ssh://git@github.com/acme/fleet.git',
    'git@github.com:acme/fleet.git',
    'https://git.example.com/acme/fleet.git?ref=a@b',
    'Basic authentication failed',
    'the bearer authorization is missing',
    'mail ada@example.com',
    'apps/web.yaml:3:5: ManifestInvalid: no kind',
    'the token file /run/secrets/token cannot be read',
    `commit ${'3f2c1ab9'.repeat(5)}`,
  ];
  for (const text of harmless) {
    it(`leaves “${text}”`, () => {
      expect(redact(text)).to.equal(text);
    });
  }

  it('changes nothing the second time', () => {
    const parts = fc.constantFrom(
      'https://',
      'a:b@',
      'host/',
      'Bearer ',
      'abc12345',
      ' ',
      jwt,
      key,
      'token=',
      '"',
      '&',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (texts) => {
        const once = redact(texts.join(''));
        expect(redact(once)).to.equal(once);
      }),
    );
  });
});
