import { expect } from 'chai';

import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';
import { type Answer, askKubectl, documentOf, questions } from './kubectl-oracle.ts';
import recorded from './kubectl-answers.json' with { type: 'json' };

const answers: ReadonlyMap<string, unknown> = new Map(Object.entries(recorded));

describe('a manifest is read as kubectl reads it', () => {
  for (const [name, snippet] of questions) {
    it(name, () => {
      expect(read(snippet)).to.deep.equal(answers.get(name));
      // Where kubectl is installed, the record is checked, too: other versions of it must agree.
      expect(askKubectl(snippet) ?? answers.get(name)).to.deep.equal(answers.get(name));
    });
  }
});

function read(snippet: string): Answer {
  const { documents, faults } = parseManifests(documentOf(snippet), { file: 'question.yaml' });
  if (faults.length > 0) return 'refused';
  const entries = Object.entries(documents[0]?.value ?? {});
  return Object.fromEntries(entries.filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key)));
}
