import { expect } from 'chai';
import fc from 'fast-check';

import { fileInChart } from '../../../../src/render/renderers/helm/chart.ts';
import { helmFault } from '../../../../src/render/renderers/helm/helm-fault.ts';
import { appliesHook, hookEventsOf } from '../../../../src/render/renderers/helm/hooks.ts';
import { studyChart } from '../../../../src/render/renderers/helm/study-chart.ts';
import { splitOutput } from '../../../../src/render/renderers/tool-output.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

const chart = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
const snapshot = memorySnapshot({
  'app/Chart.yaml': chart(
    'shop',
    `dependencies:
  - {name: cache, version: 1.x.x, repository: "https://charts.example.com"}
  - {name: cache, alias: sessions, version: 1.x.x, repository: "https://charts.example.com"}
  - {name: queue, version: 1.x.x, repository: "https://charts.example.com"}
  - {name: parts, version: 1.x.x, repository: "file://../parts"}
`,
  ),
  'app/templates/web.yaml': 'x: 1',
  'app/charts/renamed/Chart.yaml': chart('cache'),
  'app/charts/renamed/templates/cache.yaml': 'x: 1',
  'app/charts/queue-1.2.3.tgz': 'not read',
  'parts/Chart.yaml': chart('parts', 'dependencies: [{name: base, repository: "file://../base"}]\n'),
  'parts/templates/_x.tpl': 'x',
  'base/Chart.yaml': chart('base'),
  'base/templates/_y.tpl': 'y',
});

describe('a chart in the repository', () => {
  it('is found with all charts in it, and those that it names elsewhere', async () => {
    const { placements, faults } = await studyChart(snapshot, 'app', 'g');
    expect(faults).to.deep.equal([]);
    expect(placements).to.deep.equal([
      { path: 'app', at: 'app' },
      { path: 'parts', at: 'app/charts/parts' },
      { path: 'base', at: 'app/charts/parts/charts/base' },
    ]);
  });

  const paths: readonly (readonly [helmPath: string, file: string | undefined])[] = [
    ['shop/templates/web.yaml', 'app/templates/web.yaml'],
    ['shop/charts/cache/templates/cache.yaml', 'app/charts/renamed/templates/cache.yaml'],
    ['shop/charts/sessions/templates/cache.yaml', 'app/charts/renamed/templates/cache.yaml'],
    ['shop/charts/queue/templates/queue.yaml', 'app/charts/queue-1.2.3.tgz'],
    ['shop/charts/parts/templates/_x.tpl', 'parts/templates/_x.tpl'],
    ['shop/charts/parts/charts/base/templates/_y.tpl', 'base/templates/_y.tpl'],
    ['shop/templates/none.yaml', undefined],
    ['shop/../secret.yaml', undefined],
    ['other/templates/web.yaml', undefined],
  ];
  for (const [helmPath, file] of paths) {
    it(`has ${helmPath} at ${file ?? 'no place'}`, async () => {
      const { chart: found } = await studyChart(snapshot, 'app', 'g');
      expect(fileInChart(found!, helmPath, snapshot.tree)).to.equal(file);
    });
  }
});

describe('helmFault', () => {
  const faultOf = async (stderr: string) => {
    const { chart: found } = await studyChart(snapshot, 'app', 'g');
    return helmFault(stderr, found!, snapshot.tree);
  };

  const helm3 =
    'Error: template: shop/templates/web.yaml:3:9: executing "shop/templates/web.yaml" at <include "x" .>: error calling include: template: shop/charts/parts/templates/_x.tpl:2:4: executing "x" at <.Values.a.b>: nil pointer evaluating interface {}.b\n\nUse --debug flag to render out invalid YAML\n';
  it('reads what helm 3 says as well', async () => {
    expect(await faultOf(helm3)).to.deep.equal({
      message: 'at <.Values.a.b>: nil pointer evaluating interface {}.b',
      file: 'parts/templates/_x.tpl',
      line: 2,
      column: 5,
    });
  });

  it('names what is missing from charts/', async () => {
    const said =
      'Error: an error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: redis, mysql\n';
    expect(await faultOf(said)).to.deep.equal({
      message:
        'dependencies are not vendored: redis, mysql; run helm dependency update app and commit app/charts/',
      file: 'app/Chart.yaml',
      line: 1,
    });
  });

  it('always names a place in the repository, on one line', async () => {
    const { chart: found } = await studyChart(snapshot, 'app', 'g');
    const word = fc.constantFrom(
      'Error: ',
      'shop/templates/web.yaml:3:9',
      '\n',
      ': ',
      'executing "x" at <y>',
      'level=INFO msg=x',
      '(',
      '):',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }), (parts) => {
        const { message, file, line } = helmFault(parts.join(''), found!, snapshot.tree);
        expect(message).to.not.include('\n');
        expect(file).to.be.oneOf(['app/Chart.yaml', 'app/templates/web.yaml']);
        expect(line).to.be.a('number').and.at.least(1);
      }),
    );
  });
});

describe('hooks', () => {
  const hook = (events: string) => ({ metadata: { name: 'x', annotations: { 'helm.sh/hook': events } } });
  const cases: readonly (readonly [events: string, applied: boolean])[] = [
    ['pre-install', true],
    ['post-upgrade, post-install', true],
    ['pre-install,pre-delete', true],
    ['pre-delete', false],
    ['post-rollback', false],
    ['test', false],
    ['test-success,post-install', false],
  ];
  for (const [events, applied] of cases) {
    it(`${applied ? 'may be applied' : 'are never applied'} for ${events}`, () => {
      expect(appliesHook(hookEventsOf(hook(events)), 'apply')).to.equal(applied);
      expect(appliesHook(hookEventsOf(hook(events)), 'skip')).to.be.false;
    });
  }

  it('are told from ordinary objects', () => {
    expect(hookEventsOf({ metadata: { name: 'x' } })).to.deep.equal([]);
    expect(hookEventsOf(hook(''))).to.deep.equal([]);
  });
});

describe('splitOutput', () => {
  it('knows the source of each document, also within a file of several', () => {
    const text =
      '---\n# Source: shop/crds/a.yaml\na: 1\n---\na: 2\n---\r\n\n# Source: shop/templates/b.yaml\r\nb: |\n  ---\n  x\n---\n\n';
    expect(
      splitOutput(text).map(({ source, text: part }) => [source, part.replace(/#.*/, '').trim()]),
    ).to.deep.equal([
      ['shop/crds/a.yaml', 'a: 1'],
      ['shop/crds/a.yaml', 'a: 2'],
      ['shop/templates/b.yaml', 'b: |\n  ---\n  x'],
    ]);
  });
});
