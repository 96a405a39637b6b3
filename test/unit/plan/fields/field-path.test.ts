import { expect } from 'chai';

import type { PathElement } from '../../../../src/model/managed-fields.ts';
import { formatPath } from '../../../../src/plan/fields/field-path.ts';

const paths: readonly (readonly [readonly PathElement[], string])[] = [
  [[], '.'],
  [[{ field: 'spec' }, { field: 'replicas' }], '.spec.replicas'],
  [[{ field: 'data' }, { field: 'app.conf' }], '.data["app.conf"]'],
  [[{ field: 'data' }, { field: 'a"]\n' }], '.data["a\\"]\\n"]'],
  [[{ field: 'data' }, { field: '' }], '.data[""]'],
  [[{ field: 'data' }, { field: '1' }], '.data["1"]'],
  [[{ field: 'rules' }, { index: 2, item: { verbs: [] } }], '.rules[2]'],
  [[{ field: 'rules' }, { index: 2, item: undefined }], '.rules[2]'],
  [[{ field: 'finalizers' }, { index: 0, item: 'a' }], '.finalizers[0]'],
  [[{ field: 'containers' }, { index: 0, item: { name: 'web' } }], '.containers[name=web]'],
  [[{ field: 'mounts' }, { index: 0, item: { mountPath: '/var/run' } }], '.mounts[mountPath=/var/run]'],
  [[{ field: 'ports' }, { index: 0, item: { containerPort: 80 } }], '.ports[containerPort=80]'],
  [[{ field: 'env' }, { index: 0, item: { name: 'a].b' } }], '.env[name="a].b"]'],
];

describe('the path of a field', () => {
  for (const [path, text] of paths) {
    it(`is ${text}`, () => {
      expect(formatPath(path)).to.equal(text);
    });
  }
});
