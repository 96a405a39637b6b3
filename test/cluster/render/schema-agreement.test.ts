import { expect } from 'chai';
import pLimit from 'p-limit';

import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../../../src/model/json.ts';
import { checkObject, type KnownKinds } from '../../../src/render/validate/schema/check-object.ts';
import { describeKinds } from '../../../scripts/kubernetes-schemas/describe-kinds.ts';
import { startOwnControlPlane, type TestControlPlane } from '../../harness/control-plane.ts';
import { knownKinds, rightManifests, widgetDefinition, wrongManifests } from '../../harness/schema-corpus.ts';
import { variantsOf } from '../../harness/schema-variants.ts';
import { connectTestApi, type TestApi } from '../../harness/test-api.ts';

/** One in so many of the variants of the right manifests is tried; all of them take a minute. */
const stride = 7;

describe('what validate says of fields', () => {
  let started: TestControlPlane;
  let api: TestApi;
  let kinds: KnownKinds;
  let described: KnownKinds['builtIn'];
  /** Where objects of a kind are, by 'group/version/Kind'. */
  const folders = new Map<string, string>();

  before(async () => {
    kinds = await knownKinds();
    // One of its own: definitions that other tests make would be described, too.
    started = await startOwnControlPlane('schemas', { node: false });
    api = await connectTestApi(started.controlPlane);
    await api.until('/api/v1/namespaces/default', (_, status) => status === 200);
    described = await describeKinds(api);
    await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition());
    await api.until('/apis/right.example.com/v1/namespaces/default/widgets', (_, status) => status === 200);
    for (const apiVersion of [...Object.keys(kinds.builtIn.kinds), 'right.example.com/v1']) {
      const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
      const { body } = await api.send({ method: 'GET', path: root });
      for (const resource of arrayAt(body, 'resources').filter(isJsonObject)) {
        const name = stringAt(resource, 'name') ?? '';
        const folder = resource['namespaced'] === true ? `${root}/namespaces/default` : root;
        if (!name.includes('/'))
          folders.set(`${apiVersion}/${stringAt(resource, 'kind') ?? ''}`, `${folder}/${name}`);
      }
    }
  });
  after(async () => {
    await api.close();
    await started.stop();
  });

  /** Why the server refuses an apply as the engine would make it, or undefined. */
  async function refusal(manifest: JsonObject): Promise<string | undefined> {
    const key = `${stringAt(manifest, 'apiVersion') ?? ''}/${stringAt(manifest, 'kind') ?? ''}`;
    const query = 'dryRun=All&fieldValidation=Strict&fieldManager=fleetwright&force=true';
    const { status, body } = await api.send({
      method: 'PATCH',
      path: `${folders.get(key) ?? ''}/${stringAt(manifest, 'metadata', 'name') ?? ''}?${query}`,
      body: manifest,
      contentType: 'application/apply-patch+yaml',
    });
    return status < 300 ? undefined : `${status} ${stringAt(body, 'message') ?? ''}`;
  }

  function errorsOf(manifest: JsonObject): string[] {
    const checked = checkObject(manifest, kinds);
    if (checked.kind !== 'known') throw new Error(`the kind is ${checked.kind}`);
    return checked.violations.filter(({ isWarning }) => isWarning !== true).map(({ message }) => message);
  }

  it('comes from the schemas of this very server', () => {
    expect(described).to.deep.equal(kinds.builtIn);
  });

  it('agrees with the server on right manifests', async () => {
    for (const manifest of rightManifests()) {
      expect([await refusal(manifest), errorsOf(manifest)], JSON.stringify(manifest)).to.deep.equal([
        undefined,
        [],
      ]);
    }
  });

  it('agrees with the server on wrong manifests', async () => {
    for (const { manifest, what } of wrongManifests())
      expect(await refusal(manifest), what).to.be.a('string');
  });

  it('is never an error where the server takes the object', async () => {
    const limit = pLimit(8);
    const variants = rightManifests()
      .flatMap((manifest) => [...variantsOf(manifest)])
      .filter((_, index) => index % stride === 0);
    const answers = await Promise.all(
      variants.map(async (variant) => ({
        variant,
        refused: await limit(() => refusal(variant.manifest)),
        errors: errorsOf(variant.manifest),
      })),
    );
    const wrongly = answers.filter(({ refused, errors }) => refused === undefined && errors.length > 0);
    expect(wrongly.map(({ variant, errors }) => [variant.what, errors])).to.deep.equal([]);
    // What only the server sees is listed in docs/validate.md; most of what it refuses is found without it.
    const refused = answers.filter((answer) => answer.refused !== undefined);
    const found = refused.filter(({ errors }) => errors.length > 0);
    expect(found.length / refused.length).to.be.greaterThan(0.85);
  });
});
