import { expect } from 'chai';

import { nodeAt } from '../../../../src/model/snapshot.ts';
import { createRenderCache, type RenderCache } from '../../../../src/render/render-cache.ts';
import { loadTemplates } from '../../../../src/render/templates/load-templates.ts';
import type { TemplateData } from '../../../../src/render/templates/template-data.ts';
import { type Files, renderTemplates } from './render-source.ts';
import { configMap, generator, namesOf, render, statesOf } from '../fleet.ts';
import { memorySnapshot } from '../memory-snapshot.ts';
import { reached, templateDataOf } from './template-data.ts';

const deployment = [
  '# The web server.',
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata:',
  '  name: web',
  '  labels: {% render "_labels.yaml" %}',
  'spec: {replicas: {{ params.replicas }}}',
].join('\n');

describe('templates of a source', () => {
  it('include files of the source, which see the same variables and are no manifests', async () => {
    const { objects, faults } = await renderTemplates({
      'app/web.yaml': deployment,
      'app/_labels.yaml': '{env: {{ cluster.labels.env }}, name: {{ fleet.name }}}',
    });
    expect(faults).to.deep.equal([]);
    expect(objects.map(({ manifest }) => manifest['metadata'])).to.deep.equal([
      { name: 'web', labels: { env: 'production', name: 'acme' } },
    ]);
  });

  it('name included files from the source’s folder, or from their own with ./ or ../', async () => {
    const { objects, faults } = await renderTemplates({
      'app/web/a.yaml': '{% include "../_lib/object.yaml", name: "a" %}',
      'app/b.yaml': '{% render "_lib/object.yaml", name: "b" %}',
      'app/_lib/object.yaml': '{% include "./head.yaml" %}metadata: {name: {{ name }}}\n',
      'app/_lib/head.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
    });
    expect(faults).to.deep.equal([]);
    expect(objects.map(({ ref, origin }) => [ref.name, origin.file])).to.deep.equal([
      ['b', 'app/b.yaml'],
      ['a', 'app/web/a.yaml'],
    ]);
  });

  it('use layouts', async () => {
    const { objects, faults } = await renderTemplates({
      'app/web.yaml':
        '{% layout "_base.yaml" %}\n{% block data %}\ndata: {a: "{{ params.image }}"}\n{% endblock %}\n',
      'app/_base.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n{% block data %}{% endblock %}',
    });
    expect(faults).to.deep.equal([]);
    expect(objects.map(({ manifest }) => manifest['data'])).to.deep.equal([{ a: 'nginx' }]);
  });

  it('include nothing from outside of the source', async () => {
    const cases: [string, string][] = [
      ['"../_x.yaml"', '"../_x.yaml" is outside of the source; only files of the source can be included'],
      ['"/etc/passwd"', '"/etc/passwd" is outside of the source; only files of the source can be included'],
      [
        '"_a/../../_x.yaml"',
        '"_a/../../_x.yaml" is outside of the source; only files of the source can be included',
      ],
      ['"_lables.yaml"', 'there is no _lables.yaml in the source (did you mean "_labels.yaml"?)'],
      [
        '"web.yaml"',
        'web.yaml cannot be included: only files whose name begins with _, or in a folder like that, can',
      ],
      ['"_{{ params.image }}"', 'there is no _nginx in the source'],
      ['params.replicas', 'the name of a file to include must be text'],
    ];
    for (const [name, message] of cases) {
      const { faults } = await renderTemplates({
        'app/web.yaml': `# first\n{% include ${name} %}`,
        'app/_labels.yaml': '',
        '_x.yaml': '',
      });
      expect(faults, name).to.deep.equal([`app/web.yaml:2:1: ManifestInvalid: template: ${message}`]);
    }
  });

  it('end where they include one another for ever', async () => {
    const { faults } = await renderTemplates({
      'app/web.yaml': '{% render "_a.yaml" %}',
      'app/_a.yaml': 'x\n {% render "_b.yaml" %}',
      'app/_b.yaml': '\n{% render "_a.yaml" %}',
    });
    expect(faults).to.deep.equal([
      'app/_a.yaml:2:2: ManifestInvalid: template: the limit on depth: tags and included files go more than 100 deep',
    ]);
  });

  it('keep the template’s line as the origin of each object', async () => {
    const { objects, faults } = await renderTemplates(
      {
        'app/many.yaml': [
          '{% for port in params.ports %}', // 1
          '{% if port == 443 %}', // 2
          '# secure', // 3
          '{% endif %}', // 4
          '---', // 5
          'apiVersion: v1', // 6
          'kind: ConfigMap', // 7
          'metadata: {name: "port-{{ port }}"}', // 8
          '{% endfor %}', // 9
          '---', // 10
          '{% render "_object.yaml", name: "included" %}', // 11
          '---', // 12
          '{%- comment %}', // 13
          'nothing', // 14
          '{% endcomment %}', // 15
          '{% raw %}', // 16
          '# {{ raw }}', // 17
          'apiVersion: v1', // 18
          'kind: ConfigMap', // 19
          'metadata: {name: raw}', // 20
          '{% endraw %}', // 21
          '---', // 22
          '{{ params.object | to_yaml }}', // 23
          '---', // 24
          'apiVersion: v1', // 25
          'kind: List', // 26
          'items:', // 27
          '  - {{ params.object | to_json }}', // 28
          '  # {{ params.image | append: "" | nindent: 2 | upcase | default: "" | quote }}', // 29
          '  - apiVersion: v1', // 30
          '    kind: Secret', // 31
          '    metadata: {name: last}', // 32
        ].join('\n'),
        'app/_object.yaml': '\n\n# far down\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ name }}}',
      },
      templateDataOf({
        params: {
          ports: [80, 443],
          image: 'nginx',
          object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } },
        },
      }),
    );
    expect(faults).to.deep.equal([]);
    expect(objects.map(({ ref, origin }) => [ref.name, origin.line])).to.deep.equal([
      ['port-80', 6],
      ['port-443', 6],
      ['included', 11],
      ['raw', 18],
      ['s', 23],
      ['s', 28],
      ['last', 30],
    ]);
  });

  it('place faults of what they give in the template, and quote what it became', async () => {
    const { faults } = await renderTemplates(
      {
        'app/a.yaml':
          '{% for i in (1..3) %}\n# {{ i }}\n{% endfor %}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ params.bad }}}\n',
        'app/b.yaml': '\n{% include "_b.yaml" %}',
        'app/_b.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels: {x: {{ params.replicas }}}\n',
        'app/c.yaml':
          'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ params.bad }}}\nstringData: {password: secret}\n',
        'app/d.yaml': '\n\nkind: x\n{% include "_d.yaml" %}',
        'app/_d.yaml': 'a\n  {{ params.nope }}',
      },
      templateDataOf({ params: { bad: 'x, labels: {l: 5}', replicas: 2 } }),
    );
    expect(faults).to.deep.equal([
      'app/_b.yaml:5:15: ManifestInvalid: label x must be text, not the number 2; quote it; rendered as "labels: {x: 2}"',
      'app/_d.yaml:2:6: ManifestInvalid: template: undefined variable: params.nope',
      'app/a.yaml:6:18: ManifestInvalid: label l must be text, not the number 5; quote it; rendered as "metadata: {name: x, labels: {l: 5}}"',
      'app/c.yaml:3:18: ManifestInvalid: label l must be text, not the number 5; quote it',
    ]);
  });

  it('tell of a file that cannot be read, and read it again next time', async () => {
    const files = { 'app/web.yaml': deployment, 'app/_labels.yaml': '{a: b}' };
    const snapshot = memorySnapshot(files);
    const node = nodeAt(snapshot.tree, 'app')!;
    const cache = createRenderCache();
    let fails = true;
    const unsteady = {
      ...snapshot,
      read: (path: string) =>
        fails && path === 'app/_labels.yaml' ? Promise.reject(new Error('gone')) : snapshot.read(path),
    };
    const broken = await loadTemplates({ snapshot: unsteady, path: 'app', node }, cache);
    expect(
      broken.paths.flatMap((path) =>
        broken.render(path, templateDataOf()).faults.map(({ message }) => message),
      ),
    ).to.deep.equal(['gone', 'template: _labels.yaml cannot be read: gone']);
    fails = false;
    const whole = await loadTemplates({ snapshot: unsteady, path: 'app', node }, cache);
    expect(whole.paths).to.deep.equal(['app/web.yaml']);
    expect(whole.render('app/web.yaml', templateDataOf()).faults).to.deep.equal([]);
    expect(await loadTemplates({ snapshot, path: 'app', node }, cache)).to.equal(whole);
  });

  it('fail, and with them their generator, while the cluster’s server was never asked', async () => {
    const state = await render({
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: app}, render: {type: template}',
      ),
      'app/a.yaml': configMap('a', 'data: {v: "{{ cluster.version }}"}'),
      'app/b.yaml': configMap('b'),
    });
    expect(statesOf(state)).to.deep.equal({ web: 'failed' });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/b']);
    expect(state.faults.map(({ code, subject }) => [code, subject.origin?.line])).to.deep.equal([
      ['FactsUnknown', 4],
    ]);
  });

  const sharing: Files = {
    'app/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ cluster.labels.env }}"}',
    'app/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "b-{{ cluster.name }}"}',
    'app/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}',
  };

  it('are rendered once for all clusters that are alike in what is read', async () => {
    const cache: RenderCache = createRenderCache();
    const at = async (name: string, data: Partial<TemplateData['cluster']> = {}) =>
      (
        await renderTemplates(
          sharing,
          templateDataOf({ cluster: { ...templateDataOf().cluster, name, ...data } }),
          cache,
        )
      ).objects;
    const [east, again, west] = [
      await at('east'),
      await at('east', { annotations: { other: 'x' } }),
      await at('west'),
    ];
    expect(cache.counts.renderings).to.equal(2);
    expect(again[1]).to.equal(east[1]);
    expect(west[0]?.manifest).to.equal(east[0]?.manifest);
    expect(west[1]?.manifest).not.to.deep.equal(east[1]?.manifest);
  });

  it('are rendered anew for another version of the server only where they read it', async () => {
    const cache = createRenderCache();
    const old = templateDataOf({ cluster: { ...reached, version: '1.24' } });
    const now = templateDataOf({ cluster: reached });
    const files = (text: string): Files => ({
      'app/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {v: "${text}"}`,
    });
    for (const data of [old, now]) await renderTemplates(files('{{ cluster.name }}'), data, cache);
    expect(cache.counts.renderings).to.equal(1);
    for (const data of [old, now]) await renderTemplates(files('{{ cluster.version }}'), data, cache);
    expect(cache.counts.renderings).to.equal(3);
  });
});
