import { expect } from 'chai';

import type { JsonObject, JsonValue } from '../../../../src/model/json.ts';
import { compareObjects } from '../../../../src/plan/fields/compare.ts';
import { formatPath } from '../../../../src/plan/fields/field-path.ts';

/** The differences of two objects as [path, before, after]. */
function differences(live: JsonObject, merged: JsonObject): [string, unknown, unknown][] {
  return compareObjects(live, merged).map((found) => [formatPath(found.path), found.live, found.merged]);
}

/** The differences of two values of one field. */
function ofSpec(live: JsonValue, merged: JsonValue): [string, unknown, unknown][] {
  return differences({ spec: live }, { spec: merged });
}

describe('comparing two objects', () => {
  it('finds the leaves that differ, are missing or are new', () => {
    expect(ofSpec({ a: 1, b: { c: 'x', d: true }, e: null }, { a: 2, b: { c: 'x' }, f: [1] })).to.deep.equal([
      ['.spec.a', 1, 2],
      ['.spec.b.d', true, undefined],
      ['.spec.f', undefined, [1]],
      ['.spec.e', null, undefined],
    ]);
  });

  it('does not see the order of keys', () => {
    expect(ofSpec({ a: 1, b: 2 }, { b: 2, a: 1 })).to.deep.equal([]);
  });

  it('finds a value that changed its type', () => {
    expect(ofSpec({ a: {} }, { a: [] })).to.deep.equal([['.spec.a', {}, []]]);
    expect(ofSpec({ a: '1' }, { a: 1 })).to.deep.equal([['.spec.a', '1', 1]]);
  });

  it('is right about keys that every JavaScript object seems to have', () => {
    const hostile = JSON.parse('{"__proto__": "p", "constructor": "c", "toString": "t"}') as JsonObject;
    expect(ofSpec({}, hostile)).to.deep.equal([
      ['.spec.__proto__', undefined, 'p'],
      ['.spec.constructor', undefined, 'c'],
      ['.spec.toString', undefined, 't'],
    ]);
    expect(ofSpec(hostile, hostile)).to.deep.equal([]);
    expect(ofSpec({ other: 1 }, { constructor: 'c', other: 1 })).to.deep.equal([
      ['.spec.constructor', undefined, 'c'],
    ]);
  });

  it('leaves out what the server keeps for itself', () => {
    const live = {
      status: { phase: 'Active' },
      metadata: {
        name: 'web',
        uid: 'u',
        resourceVersion: '7',
        generation: 2,
        creationTimestamp: 'then',
        selfLink: '/x',
        managedFields: [{ manager: 'kubectl' }],
      },
    };
    expect(differences(live, { metadata: { name: 'web' } })).to.deep.equal([]);
  });

  it('leaves out annotations of ours and the copy that client-side apply keeps, and no others', () => {
    const annotations = {
      'fleetwright.dev/generator': 'web',
      'fleetwright.dev/desired-hash': 'h',
      'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"hunter2"}}',
    };
    expect(differences({ metadata: { annotations } }, { metadata: {} })).to.deep.equal([]);
    expect(
      differences({ metadata: { annotations: { ...annotations, team: 'a' } } }, { metadata: {} }),
    ).to.deep.equal([['.metadata.annotations', { team: 'a' }, undefined]]);
  });

  it('compares a status that is deep inside like any other field', () => {
    expect(ofSpec({ status: 'on' }, { status: 'off' })).to.deep.equal([['.spec.status', 'on', 'off']]);
  });
});

describe('comparing two lists', () => {
  const web = { name: 'web', image: 'web:1' };
  const proxy = { name: 'proxy', image: 'proxy:1' };

  it('matches items by name, wherever they stand', () => {
    expect(ofSpec([web, proxy], [proxy, { ...web, image: 'web:2' }])).to.deep.equal([
      ['.spec[name=web].image', 'web:1', 'web:2'],
    ]);
  });

  it('shows an item that is new or gone as one difference', () => {
    expect(ofSpec([web], [proxy, web])).to.deep.equal([['.spec[name=proxy]', undefined, proxy]]);
    expect(ofSpec([proxy, web], [web])).to.deep.equal([['.spec[name=proxy]', proxy, undefined]]);
  });

  it('goes on inside the items', () => {
    const pod = (value: string): JsonValue => [
      {
        ...web,
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value },
        ],
      },
    ];
    expect(ofSpec(pod('1'), pod('2'))).to.deep.equal([['.spec[name=web].env[name=B].value', '1', '2']]);
  });

  it('shows both lists where only the order differs', () => {
    expect(ofSpec([web, proxy], [proxy, web])).to.deep.equal([['.spec', [web, proxy], [proxy, web]]]);
  });

  it('shows both lists of scalars, and of items without a name in common', () => {
    expect(ofSpec(['a', 'b'], ['b', 'a'])).to.deep.equal([['.spec', ['a', 'b'], ['b', 'a']]]);
    expect(ofSpec([web], [{ image: 'x' }])).to.deep.equal([['.spec', [web], [{ image: 'x' }]]]);
    expect(ofSpec([[1], [2]], [[1], [3]])).to.deep.equal([['.spec', [[1], [2]], [[1], [3]]]]);
  });

  it('takes the first key that names the items of both lists without doubt', () => {
    const dns = (port: number): JsonValue => [
      { port: 53, protocol: 'UDP', targetPort: 53 },
      { port: 53, protocol: 'TCP', targetPort: port },
    ];
    expect(ofSpec(dns(53), dns(54))).to.deep.equal([['.spec', dns(53), dns(54)]]);
    const owner = (uid: string, blocks: boolean): JsonObject => ({ name: 'web', uid, blocks });
    expect(ofSpec([owner('1', true), owner('2', true)], [owner('1', true), owner('2', false)])).to.deep.equal(
      [['.spec[name=web].blocks', true, false]],
    );
  });

  it('sees a name twice in one list, as the API server allows in env', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    expect(ofSpec(env, [env[0]!, { name: 'A', value: '3' }])).to.have.length(1);
    expect(ofSpec(env, [env[0]!])).to.deep.equal([['.spec', env, [env[0]]]]);
  });

  it('compares an empty list with one of items', () => {
    expect(ofSpec([], [web])).to.deep.equal([['.spec[name=web]', undefined, web]]);
    expect(ofSpec([], [])).to.deep.equal([]);
  });
});
