import { cp, mkdtemp, rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { arrayAt, stringAt } from '../../src/model/json.ts';
import { createRenderCache } from '../../src/render/render-cache.ts';
import { memorySnapshot } from '../unit/render/memory-snapshot.ts';
import {
  faultsOf,
  fixtures,
  manifestsOf,
  openRenderWorld,
  originsOf,
  printedBy,
  type RenderWorld,
} from './render-world.ts';

const namespace = '--namespace=demo';

describe('a source that is a chart', () => {
  let world: RenderWorld;
  before(async () => {
    world = await openRenderWorld();
  });
  after(() => world.close());

  const template = (chart: string, ...args: readonly string[]) =>
    printedBy(world.tools.helm, [
      'template',
      'demo',
      chart,
      namespace,
      '--include-crds',
      '--no-hooks',
      ...args,
    ]);

  for (const chart of ['shop', 'platform', 'operator', 'probe']) {
    it(`gives what helm template gives for ${chart}`, async () => {
      const expected = await template(`helm/${chart}`);
      expect(expected).to.not.be.empty;
      expect(manifestsOf(await world.helm({ path: `helm/${chart}` }))).to.deep.equal(expected);
    });
  }

  it('takes values from files of the chart and of the fleet, then from the generator', async () => {
    const expected = await template(
      'helm/shop',
      '--values=helm/shop/values-production.yaml',
      '--values=helm/shared/values.yaml',
      '--set-json=replicas=7',
    );
    const rendered = await world.helm({
      path: 'helm/shop',
      helm: {
        valuesFiles: [
          { path: 'values-production.yaml', optional: false },
          { path: 'values-nowhere.yaml', optional: true },
          { path: '/helm/shared/values.yaml', optional: false },
        ],
        values: { replicas: 7 },
      },
    });
    expect(manifestsOf(rendered)).to.deep.equal(expected);
  });

  for (const apiVersions of [
    [],
    ['gateway.networking.k8s.io/v1', 'gateway.networking.k8s.io/v1/HTTPRoute'],
  ]) {
    for (const kubeVersion of ['1.27.3', '1.34', 'v1.36.3']) {
      it(`tells the chart of Kubernetes ${kubeVersion} with ${apiVersions.length} API versions`, async () => {
        const expected = await template(
          'helm/shop',
          '--set=host=shop.example.com',
          `--kube-version=${kubeVersion}`,
          ...apiVersions.map((apiVersion) => `--api-versions=${apiVersion}`),
        );
        const helm = { values: { host: 'shop.example.com' } };
        const rendered = await world.helm({ path: 'helm/shop', kubeVersion, apiVersions, helm });
        expect(manifestsOf(rendered)).to.deep.equal(expected);
        const kinds = rendered.objects.map(({ ref }) => ref.kind);
        expect(kinds.includes('HTTPRoute')).to.equal(apiVersions.length > 0);
      });
    }
  }

  it('passes the release name, the namespace and all values', async () => {
    const [probe] = manifestsOf(
      await world.helm({
        path: 'helm/probe',
        namespace: 'elsewhere',
        helm: { releaseName: 'other', values: { list: [1, 'two', null], nested: { on: true } } },
        apiVersions: ['widgets.example.com/v1'],
      }),
    );
    expect(probe?.['data']).to.include({
      name: 'other',
      namespace: 'elsewhere',
      widgets: 'true',
      monitors: 'false',
      values: '{"list":[1,"two",null],"nested":{"on":true}}',
    });
  });

  it('leaves CRDs out where that is asked for', async () => {
    const rendered = await world.helm({ path: 'helm/operator', helm: { includeCRDs: false } });
    expect(rendered.objects.map(({ ref }) => ref.kind)).to.not.include('CustomResourceDefinition');
    expect(rendered.objects).to.have.lengthOf(7);
  });

  it('applies no hook and says which', async () => {
    const rendered = await world.helm({ path: 'helm/shop' });
    expect(rendered.warnings).to.deep.equal([
      'demo: 3 hooks are not applied: Pod/demo-smoke (test), Job/demo-migrate (pre-install, pre-upgrade), Job/demo-farewell (pre-delete)',
    ]);
  });

  it('applies hooks of installing where that is asked for, but none that tests or deletes', async () => {
    const all = await printedBy(world.tools.helm, [
      'template',
      'demo',
      'helm/shop',
      namespace,
      '--include-crds',
    ]);
    const expected = all.filter(
      ({ metadata }) => !['demo-smoke', 'demo-farewell'].includes(stringAt(metadata, 'name') ?? ''),
    );
    expect(expected).to.have.lengthOf(all.length - 2);
    const rendered = await world.helm({ path: 'helm/shop', helm: { hooks: 'apply' } });
    expect(manifestsOf(rendered)).to.deep.equal(expected);
    expect(rendered.warnings).to.deep.equal([
      'demo: 2 hooks are not applied: Pod/demo-smoke (test), Job/demo-farewell (pre-delete)',
    ]);
  });

  it('finds a dependency elsewhere in the repository as if it were vendored', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'fleetwright-charts-'));
    try {
      await cp(join(fixtures, 'helm'), copy, { recursive: true });
      execFileSync(world.tools.helm, ['dependency', 'build', 'worker'], { cwd: copy, stdio: 'ignore' });
      const expected = await printedBy(world.tools.helm, ['template', 'demo', 'worker', namespace], copy);
      expect(manifestsOf(await world.helm({ path: 'helm/worker' }))).to.deep.equal(expected);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

  it('knows the template of each object, the line in a definition’s file, and the archive of a subchart', async () => {
    expect(originsOf(await world.helm({ path: 'helm/platform' }))).to.deep.equal([
      'CustomResourceDefinition/queues.mq.example.com at helm/platform/charts/queue-1.2.0.tgz:1',
      'Queue/demo at helm/platform/charts/queue-1.2.0.tgz:1',
      'ResourceQuota/demo at helm/platform/templates/quota.yaml:1',
      'StatefulSet/demo-cache at helm/platform/charts/cache/templates/cache.yaml:1',
      'StatefulSet/demo-sessions at helm/platform/charts/cache/templates/cache.yaml:1',
    ]);
    const operator = originsOf(await world.helm({ path: 'helm/operator' }));
    expect(operator).to.include.members([
      'CustomResourceDefinition/backups.backup.example.com at helm/operator/crds/backups.yaml:2',
      'CustomResourceDefinition/vaults.backup.example.com at helm/operator/crds/backups.yaml:12',
      'PriorityClass/backup at helm/operator/templates/plain.yaml:5',
      'RoleBinding/demo at helm/operator/templates/rbac.yaml:1',
    ]);
  });

  it('is rendered anew only when something that it depends on changes', async () => {
    const cache = createRenderCache();
    const rendering = { path: 'helm/probe', cache, kubeVersion: '1.34.0' };
    const first = await world.helm(rendering);
    expect(await world.helm({ ...rendering, apiVersions: [] })).to.equal(first);
    await world.helm({ ...rendering, kubeVersion: '1.35.0' });
    await world.helm({ ...rendering, apiVersions: ['a/v1'] });
    await world.helm({ ...rendering, helm: { values: { a: 1 } } });
    await world.helm({
      ...rendering,
      helm: { valuesFiles: [{ path: '/helm/shared/values.yaml', optional: false }] },
    });
    expect(cache.counts.renderings).to.equal(5);
  });

  it('reads what helm gives as kubectl would', async () => {
    const rendered = await world.helm({ path: 'helm/shop', helm: { values: { replicas: 3 } } });
    expect(faultsOf(rendered)).to.deep.equal([]);
    const deployment = rendered.objects.find(({ ref }) => ref.kind === 'Deployment')?.manifest;
    expect(arrayAt(deployment, 'spec', 'template', 'spec', 'containers')).to.have.lengthOf(1);
    expect(rendered.objects.every(({ defaultNamespace }) => defaultNamespace === 'demo')).to.be.true;
  });

  it('warns of what is made up anew each time, and of nothing that only could be', async () => {
    const warningsOf = async (password: string): Promise<readonly string[] | undefined> => {
      const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: {{ ${password} }}}\n`;
      const snapshot = memorySnapshot({
        'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
        'app/templates/login.yaml': secret,
      });
      const rendered = await world.helm({ path: 'app', snapshot, helm: { values: { password: 'given' } } });
      return rendered.warnings;
    };
    expect(await warningsOf('randAlphaNum 20')).to.deep.equal([
      'demo: the chart gives something else each time it is rendered, and then it is written: Secret/login; set the values that it makes up',
    ]);
    expect(await warningsOf('.Values.password | default (randAlphaNum 20)')).to.be.undefined;
  });

  it('has no release name that helm takes for an option', async () => {
    const [fault] = faultsOf(await world.helm({ path: 'helm/probe', helm: { releaseName: '--help' } }));
    expect(fault).to.include('invalid release name');
  });
});
