import { expect } from 'chai';

import { isAllowedHost } from '../../../src/server/allowed-host.ts';

describe('isAllowedHost', () => {
  const cases: [host: string | undefined, listenHost: string, allowed: boolean][] = [
    ['localhost:8080', '127.0.0.1', true],
    ['LOCALHOST', '127.0.0.1', true],
    ['127.0.0.1:9999', '127.0.0.1', true],
    ['[::1]:8080', '127.0.0.1', true],
    ['fleet.example:8080', 'fleet.example', true],
    ['10.0.0.5:8080', '0.0.0.0', true],
    ['[fd00::5]:8080', '::', true],
    ['10.0.0.5:8080', '127.0.0.1', false],
    ['evil.example', '127.0.0.1', false],
    ['evil.example:8080', '0.0.0.0', false],
    ['localhost.evil.example', '127.0.0.1', false],
    ['127.0.0.1.evil.example', '0.0.0.0', false],
    ['localhost:8080@evil.example', '127.0.0.1', false],
    ['localhost:port', '127.0.0.1', false],
    ['', '0.0.0.0', false],
    ['', '', false],
    [undefined, '127.0.0.1', false],
  ];
  for (const [host, listenHost, allowed] of cases) {
    it(`${allowed ? 'takes' : 'refuses'} ${host ?? 'a missing header'} where it listens on '${listenHost}'`, () => {
      expect(isAllowedHost(host, listenHost)).to.equal(allowed);
    });
  }
});
