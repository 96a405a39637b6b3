import { expect } from 'chai';

import { prettyLine } from '../../../src/telemetry/pretty-line.ts';

describe('a log line for a person', () => {
  it('says an error as commands do, and a commit by its beginning', () => {
    const line = JSON.stringify({
      level: 'error',
      time: '2026-11-30T14:02:11.000Z',
      revision: '3f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab9',
      error: { code: 'ManifestInvalid', origin: 'apps/web.yaml:10:3', message: 'bad indentation' },
      msg: 'fault in Git',
    });
    expect(prettyLine(line, { color: false })).to.equal(
      '14:02:11 error fault in Git: apps/web.yaml:10:3: ManifestInvalid: bad indentation  revision=3f2c1ab\n',
    );
  });
});
