/**
 * Writes down what kubectl answers, for machines that have none:
 * node test/unit/config/yaml/record-kubectl-oracle.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { askKubectl, questions } from './kubectl-oracle.ts';

const answers = Object.fromEntries(
  [...questions].map(([name, snippet]) => {
    const answer = askKubectl(snippet);
    if (answer === undefined) throw new Error('kubectl is not on the PATH');
    return [name, answer];
  }),
);
writeFileSync(join(import.meta.dirname, 'kubectl-answers.json'), `${JSON.stringify(answers, null, 1)}\n`);
