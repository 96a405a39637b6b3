import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { checkedText, nonEmpty, oneOf, strict } from '../schema/schema.ts';
import { anyObject } from './any-object.ts';
import type { HelmSettings, RenderSettings, ValuesFile } from './generator.ts';

const valuesPath = checkedText((path) => {
  if (path === '') return 'must not be empty';
  return path.split('/').includes('..')
    ? 'must not have ".." in it; begin with "/" for the fleet’s root'
    : undefined;
});

const valuesFileSchema = z
  .union([valuesPath, strict({ path: valuesPath, optional: z.boolean().default(false) })])
  .transform((file): ValuesFile => (typeof file === 'string' ? { path: file, optional: false } : file));

const kubeVersion = checkedText((text) =>
  /^v?\d+\.\d+(\.\d+)?([-+][\w.+-]+)?$/.test(text) ? undefined : 'must be a version such as 1.34 or 1.34.2',
);
const servedVersion = checkedText((text) =>
  /^[\w.-]+(\/[\w.-]+){0,2}$/.test(text) ? undefined : 'must be as in "batch/v1" or "batch/v1/CronJob"',
);

const helmSchema = strict({
  releaseName: nonEmpty.optional(),
  valuesFiles: z.array(valuesFileSchema).default([]),
  values: anyObject.default({}),
  includeCRDs: z.boolean().default(true),
  hooks: oneOf(['skip', 'apply']).default('skip'),
  kubeVersion: kubeVersion.optional(),
  apiVersions: z.array(servedVersion).default([]),
}).transform((helm): HelmSettings => defined(helm));

/** `render`: how a source becomes objects. */
export const renderSchema = strict({
  type: oneOf(['auto', 'plain', 'template', 'kustomize', 'helm']).default('auto'),
  helm: helmSchema.optional(),
}).transform(({ type, helm }, context): RenderSettings => {
  if (helm !== undefined && type !== 'helm' && type !== 'auto') {
    const message = `is for type helm; this generator's type is ${type}`;
    context.addIssue({ code: 'custom', message, path: ['helm'] });
  }
  return defined({ type, helm });
});
