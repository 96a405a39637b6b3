import { expect } from 'chai';

import { parseByteSize } from '../../../../src/config/schema/byte-size.ts';
import { parseDuration } from '../../../../src/config/schema/duration.ts';
import {
  faultOfLabelKey,
  faultOfLabelValue,
  faultOfName,
} from '../../../../src/config/schema/label-syntax.ts';
import { didYouMean } from '../../../../src/config/schema/suggestion.ts';

describe('parseDuration', () => {
  const durations: readonly (readonly [string, number | undefined])[] = [
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['0', 0],
    ['', undefined],
    ['30', undefined],
    ['-1s', undefined],
    ['1.5h', undefined],
    ['5 m', undefined],
    ['99999999999999999h', undefined],
  ];
  for (const [text, expected] of durations) {
    it(`reads ${JSON.stringify(text)} as ${String(expected)}`, () => {
      expect(parseDuration(text)).to.equal(expected);
    });
  }
});

describe('parseByteSize', () => {
  const sizes: readonly (readonly [string, number | undefined])[] = [
    ['8Mi', 8 * 1024 * 1024],
    ['1Gi', 1024 ** 3],
    ['64Ki', 65_536],
    ['2M', 2_000_000],
    ['8', undefined],
    ['8MB', undefined],
    ['Mi', undefined],
    ['-1Mi', undefined],
    ['99999999999999999Gi', undefined],
  ];
  for (const [text, expected] of sizes) {
    it(`reads ${JSON.stringify(text)} as ${String(expected)}`, () => {
      expect(parseByteSize(text)).to.equal(expected);
    });
  }
});

describe('label syntax', () => {
  it('takes what Kubernetes takes', () => {
    for (const key of ['a', 'A1', 'app.kubernetes.io/name', 'a_b-c.d', 'x'.repeat(63)])
      expect(faultOfLabelKey(key)).to.equal(undefined);
    for (const value of ['', 'a', 'v1.2_3-x', 'x'.repeat(63)])
      expect(faultOfLabelValue(value)).to.equal(undefined);
    for (const name of ['a', 'a.b-c', '1', 'x'.repeat(253)]) expect(faultOfName(name)).to.equal(undefined);
  });

  it('refuses what Kubernetes refuses', () => {
    for (const key of ['', '/a', 'a/', 'a/b/c', '-a', 'a-', 'Upper.io/a', 'x'.repeat(64), 'ä'])
      expect(faultOfLabelKey(key), key).to.be.a('string');
    // C63: a dash may not be the last of 63 characters.
    for (const value of ['-', 'a-', '.a', 'a b', 'x'.repeat(64), `${'x'.repeat(62)}-`])
      expect(faultOfLabelValue(value), value).to.be.a('string');
    for (const name of ['', 'A', 'a_b', '-a', 'a.', 'a..b', 'a/b', 'x'.repeat(254)])
      expect(faultOfName(name), name).to.be.a('string');
  });
});

describe('didYouMean', () => {
  it('names the nearest word, if one is near', () => {
    expect(didYouMean('overides', ['overrides', 'source'])).to.equal(' (did you mean "overrides"?)');
    expect(didYouMean('sourec', ['overrides', 'source'])).to.equal(' (did you mean "source"?)');
    expect(didYouMean('EXISTS', ['In', 'Exists'])).to.equal(' (did you mean "Exists"?)');
    expect(didYouMean('replicas', ['overrides', 'source'])).to.equal('');
  });
});
