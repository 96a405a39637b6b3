import { expect } from 'chai';

import { renderTemplate } from '../../../../src/render/templates/render-template.ts';
import type { TemplateData } from '../../../../src/render/templates/template-data.ts';
import { reached, templateDataOf } from './template-data.ts';

function rendered(template: string, data: TemplateData = templateDataOf()): string {
  const result = renderTemplate(template, data);
  if (!result.ok) throw new Error(`${result.line}:${result.column}: ${result.message}`);
  return result.text;
}

function faultOf(template: string, data: TemplateData = templateDataOf()): string {
  const result = renderTemplate(template, data);
  if (result.ok) throw new Error(`it rendered: ${result.text}`);
  return `${result.line}:${result.column}: ${result.message}`;
}

describe('a template', () => {
  it('speaks of the cluster, the fleet, the parameters and the item', () => {
    const template = '{{ fleet.name }}/{{ cluster.name }}/{{ params.ports[1] }}/{{ item.directory.name }}';
    expect(rendered(template, templateDataOf({ item: { directory: { name: 'blue' } } }))).to.equal(
      'acme/east/443/blue',
    );
    expect(rendered('{{ cluster.labels["topology.kubernetes.io/region"] }}')).to.equal('cn');
  });

  it('is strict, and suggests what is near', () => {
    const faults: [string, string][] = [
      ['{{ params.replica }}', '1:4: undefined variable: params.replica (did you mean "replicas"?)'],
      ['\n  {{ clutser.name }}', '2:6: undefined variable: clutser (did you mean "cluster"?)'],
      [
        '{{ cluster.labels["topology.kubernetes.io/regoin"] }}',
        '1:4: undefined variable: cluster.labels.topology.kubernetes.io/regoin (did you mean "topology.kubernetes.io/region"?)',
      ],
      ['{{ item.name }}', '1:4: undefined variable: item; it is there only with each'],
      ['{{ params.image | quot }}', '1:1: undefined filter: quot (did you mean "quote"?)'],
      ['{% fi true %}', '1:1: there is no tag fi (did you mean "if"?)'],
      ['a\n{{ params.image', '2:1: output "{{ params.image" not closed'],
    ];
    for (const [template, fault] of faults) expect(faultOf(template), template).to.equal(fault);
  });

  it('takes a missing variable for nothing where it says what that means', () => {
    expect(rendered('{{ params.x | default: 3 }}{% if params.x %}a{% else %}b{% endif %}')).to.equal('3b');
    expect(faultOf('{{ params.x | required: "params.x must be set" }}')).to.equal(
      '1:1: params.x must be set',
    );
    expect(faultOf('{{ "" | required }}')).to.equal('1:1: a required value is missing');
  });

  it('fails at facts of a server that was never asked, however it asks for them', () => {
    const message = 'is not known, since the cluster has not been reached yet';
    for (const template of [
      '{{ cluster.version }}',
      '{{ cluster.version | default: "1.30" }}',
      '{% if cluster.apiVersions contains "v1" %}{% endif %}',
      '{% unless cluster.kubeVersion %}{% endunless %}',
      '{{ cluster | to_json }}',
      '{% for pair in cluster %}{% endfor %}',
      '{% assign c = cluster %}{{ c.version }}',
    ]) {
      const result = renderTemplate(template, templateDataOf());
      expect(
        result.ok ? result.text : [result.code, result.message.slice(-message.length)],
        template,
      ).to.deep.equal(['FactsUnknown', message]);
    }
    const template = '{% if cluster.apiVersions contains "apps/v1" %}{{ cluster.version }}{% endif %}';
    expect(rendered(template, templateDataOf({ cluster: reached }))).to.equal('1.36');
  });

  it('never writes a list or a map as text', () => {
    expect(faultOf('{{ params.ports }}')).to.contain('use join, to_yaml or to_json');
    expect(faultOf('{{ params.limits }}')).to.contain('use to_yaml or to_json');
    expect(rendered('{{ params.ports | join: "," }}')).to.equal('80,443');
  });

  it('changes nothing of the data', () => {
    const data = templateDataOf();
    rendered(
      '{{ params.ports | push: 1 | sort | size }}{% increment params %}{% assign cluster = 1 %}',
      data,
    );
    expect(data).to.deep.equal(templateDataOf());
  });

  it('has nothing in it that differs from one rendering to the next', () => {
    for (const filter of ['date', 'date_to_xmlschema', 'date_to_string', 'sample'])
      expect(faultOf(`{{ "now" | ${filter} }}`)).to.contain('changes from one rendering to the next');
  });

  it('includes nothing where it stands in no file', () => {
    expect(faultOf('{% include "/etc/passwd" %}')).to.contain('is outside of the source');
    expect(faultOf('{% render "_x" %}')).to.contain('there is no _x in the source');
  });
});
