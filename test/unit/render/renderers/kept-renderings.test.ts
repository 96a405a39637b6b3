import { expect } from 'chai';

import type { DesiredObject } from '../../../../src/model/desired.ts';
import { FleetError } from '../../../../src/model/fleet-error.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { createRenderCache } from '../../../../src/render/render-cache.ts';
import type { RenderedSource } from '../../../../src/render/render-source.ts';
import type { RenderRequest } from '../../../../src/render/renderers/renderer.ts';
import { renderOnce } from '../../../../src/render/renderers/tool-rendering.ts';

function object(kind: string, parts: JsonObject): DesiredObject {
  const ref = { apiVersion: 'v1', kind, namespace: 'shop', name: 'a' };
  return {
    ref,
    manifest: { apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'shop' }, ...parts },
    origin: { generator: 'web', file: 'charts/web/templates/a.yaml', document: 1, line: 1 },
    defaultNamespace: 'shop',
  };
}

describe('renderings that outlive the process', () => {
  let kept: Map<string, string>;
  let runs: number;

  beforeEach(() => {
    kept = new Map();
    runs = 0;
  });

  /** One process: an empty cache in memory over what is kept. */
  const start = () => {
    const cache = createRenderCache({ get: (key) => kept.get(key), put: (key, text) => kept.set(key, text) });
    const request = { cache, generator: 'web', signal: new AbortController().signal } as RenderRequest;
    return (inputs: readonly unknown[], gives: RenderedSource): Promise<RenderedSource> =>
      renderOnce(request, { inputs, file: 'charts/web/Chart.yaml' }, () => {
        runs += 1;
        return Promise.resolve(gives);
      });
  };
  const rendered: RenderedSource = {
    objects: [object('ConfigMap', { data: { ['__proto__']: 'kept', a: '1' } })],
    faults: [],
    warnings: ['a hook is left out'],
  };

  it('run nothing again for the same inputs, and give the same', async () => {
    await start()(['helm', 'v1'], rendered);
    expect(await start()(['helm', 'v1'], rendered)).to.deep.equal(rendered);
    expect(runs).to.equal(1);
  });

  it('run again for other inputs', async () => {
    await start()(['helm', 'v1'], rendered);
    await start()(['helm', 'v2'], rendered);
    expect(runs).to.equal(2);
  });

  it('keep no fault', async () => {
    const faults = [new FleetError('RenderFailed', 'it failed')];
    await start()(['helm'], { objects: [], faults });
    expect(kept.size).to.equal(0);
  });

  it('keep no value of a Secret, and no input', async () => {
    await start()(['hunter2'], {
      ...rendered,
      objects: [object('Secret', { stringData: { a: 'hunter2' } })],
    });
    expect(kept.size).to.equal(0);
    await start()(['hunter2'], rendered);
    expect(JSON.stringify([...kept])).to.not.include('hunter2');
  });

  it('run again where what was kept cannot be read', async () => {
    await start()(['helm'], rendered);
    for (const key of kept.keys()) kept.set(key, '{');
    expect(await start()(['helm'], rendered)).to.deep.equal(rendered);
    expect(runs).to.equal(2);
  });
});
