import { expect } from 'chai';
import fc from 'fast-check';

import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';
import { clusterSource } from '../../../../src/import/argocd/clusters-generator.ts';
import { directorySource, fileSource } from '../../../../src/import/argocd/git-source.ts';
import { listSource } from '../../../../src/import/argocd/list-source.ts';
import { Notes } from '../../../../src/import/notes.ts';
import { liquidText } from '../../../../src/import/template/template.ts';
import { createTranslator } from '../../../../src/import/template/translator.ts';

const elements = [{ app: 'web', 'values.tier': 'a', nested: { deep: 'x' }, hosts: ['a', 'b'] }];
const sources = [fileSource(undefined), clusterSource, listSource(elements)];

function notesOf(): Notes {
  const [document] = parseManifests('a: 1', { file: 'a.yaml' }).documents;
  return new Notes(document!, 'a.yaml');
}

function translate(text: string, options: { goTemplate?: boolean; from?: typeof sources } = {}): string {
  const { goTemplate = true, from = sources } = options;
  return liquidText(createTranslator({ goTemplate, sources: from, notes: notesOf() })(text, ['a']));
}

describe('templates of Argo CD', () => {
  const tags: readonly (readonly [string, string])[] = [
    ['{{name}}-{{ nameNormalized }}', '{{ cluster.name }}-{{ cluster.name }}'],
    ['{{metadata.labels.env}}', '{{ cluster.labels.env }}'],
    ['{{metadata.labels.example.com/tier}}', '{{ cluster.labels["example.com/tier"] }}'],
    ['{{metadata.annotations.a-b}}', '{{ cluster.annotations.a-b }}'],
    ['{{values.tier}}', '{{ item["values.tier"] }}'],
    ['{{nested.deep}}', '{{ item.nested.deep }}'],
    ['{{hosts.1}}', '{{ item.hosts[1] }}'],
    ['{{path}}', '{{ item.file.directory }}'],
    ['{{path[2]}}', '{{ item.file.directory | split: "/" | slice: 2 | first }}'],
    ['{{path.filename}}', '{{ item.file.name }}'],
    ['{{anything.in.a.file}}', '{{ item.anything.in.a.file }}'],
    ['no template {% here', '{% raw %}no template {% here{% endraw %}'],
    ['{{name', '{% raw %}{{name{% endraw %}'],
  ];
  for (const [text, liquid] of tags) {
    it(`fasttemplate: ${text}`, () => {
      expect(translate(text, { goTemplate: false })).to.equal(liquid);
    });
  }

  const goTemplates: readonly (readonly [string, string])[] = [
    ['{{ .name }}', '{{ cluster.name }}'],
    ['{{ index .metadata.labels "a/b" }}', '{{ cluster.labels["a/b"] }}'],
    ['{{ get .metadata.labels "env" | upper }}', '{{ cluster.labels.env | upcase }}'],
    ['{{ (index .metadata.labels "env") | lower }}', '{{ cluster.labels.env | downcase }}'],
    ['{{ .path.path }}/{{ .path.basename }}', '{{ item.directory.path }}/{{ item.directory.name }}'],
    ['{{ index .path.segments 1 }}', '{{ item.directory.segments[1] }}'],
    ['{{ base .path.path }}', '{{ item.directory.name }}'],
    ['{{ first .path.segments }}', '{{ item.directory.segments | first }}'],
    ['{{ normalize .name }}', '{{ cluster.name }}'],
    ['{{ .app | replace "_" "-" | trunc 5 }}', '{{ item.app | replace: "_", "-" | slice: 0, 5 }}'],
    ['{{ substr 1 3 .app }}', '{{ item.app | slice: 1, 2 }}'],
    ['{{ default "x" .app }}', '{{ item.app | default: "x" }}'],
    ['{{ .nothing | default "x" }}', '{{ "x" }}'],
    ['{{ dig "nested" "deep" "x" . }}', '{{ item.nested.deep | default: "x" }}'],
    ['{{ dig "nothing" "x" . }}', '{{ "x" }}'],
    ['{{ coalesce .nothing .app .name }}', '{{ item.app | default: cluster.name }}'],
    ['{{ printf "%s.%s%%" .app .name }}', '{{ item.app }}.{{ cluster.name }}%'],
    ['{{ add 1 2 }}', '{{ 1 | plus: 2 }}'],
    ['{{ splitList "-" .name | last }}', '{{ cluster.name | split: "-" | last }}'],
    ['a {{- .name -}} b', 'a{{ cluster.name }}b'],
    ['{{/* note */}}x', 'x'],
    ['{{ "}}" }}', '}}'],
    ['{{ `raw` }}', 'raw'],
    [
      '{{ if eq .app "a" "b" }}1{{ else if .app }}2{{ else }}3{{ end }}',
      '{% if item.app == "a" or item.app == "b" %}1{% elsif item.app != blank %}2{% else %}3{% endif %}',
    ],
    ['{{ if not (eq .app "a") }}1{{ end }}', '{% if item.app != "a" %}1{% endif %}'],
    ['{{ if not .app }}1{{ end }}', '{% if item.app == blank %}1{% endif %}'],
    [
      '{{ if and (ne .app "a") (hasKey .metadata.labels "x") }}1{{ end }}',
      '{% if item.app != "a" and cluster.labels.x != nil %}1{% endif %}',
    ],
    ['{{ if contains "we" .app }}1{{ end }}', '{% if item.app contains "we" %}1{% endif %}'],
  ];
  for (const [text, liquid] of goTemplates) {
    it(`Go: ${text}`, () => {
      const from = [directorySource(undefined), clusterSource, listSource(elements)];
      expect(translate(text, { from })).to.equal(liquid);
    });
  }

  const without: readonly (readonly [string, string])[] = [
    ['{{ .server }}', "a cluster's server is not known to templates"],
    ['{{ env "HOME" }}', 'the function env has no equal here'],
    ['{{ range .hosts }}{{ . }}{{ end }}', '"range" has no equal here'],
    ['{{ $x := .app }}', 'variables of a template have no equal'],
    ['{{ if and .app (or .app .name) }}{{ end }}', 'and and or inside of each other have no equal'],
    ['{{ if .app }}', 'an if is not ended'],
    ['{{ end }}', 'there is an end without an if'],
    ['{{ .app', 'a {{ is not closed'],
    ['{{ printf "%05d" .app }}', 'printf with %0 has no equal'],
    ['{{ lower }}', 'lower is given 0 values'],
    ['{{ index .hosts .app }}', 'index with a key that is computed has no equal'],
    ['{{ (upper .app).x }}', 'a field of a result has no equal'],
    ['{{ replace (upper .app) "b" .name }}', 'the result of upper can only be printed here'],
    ['{{ .nothing }}', 'no generator here gives the parameter nothing'],
    ['{{ }}', 'it is no single value'],
    ['{{ ~ }}', 'it cannot be read at ~'],
  ];
  for (const [text, message] of without) {
    it(`without an equal: ${text}`, () => {
      const notes = notesOf();
      const from = [directorySource(undefined), clusterSource, listSource(elements)];
      const template = createTranslator({ goTemplate: true, sources: from, notes })(text, ['a']);
      expect(notes.findings.map(({ kind }) => kind)).to.include('unsupported');
      expect(notes.findings.map((finding) => finding.message).join('\n')).to.contain(message);
      expect(liquidText(template)).to.contain('untranslated[');
    });
  }

  it('takes any text, and leaves what is no template as it stands', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '.a',
      '|',
      '"',
      '`',
      '(',
      ')',
      'if',
      'end',
      ' ',
      '-',
      '{%',
      'x',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, goTemplate) => {
        const text = pieces.join('');
        expect(translate(text, { goTemplate })).to.be.a('string');
        if (!text.includes('{')) expect(translate(text, { goTemplate })).to.equal(text);
      }),
    );
  });
});
