import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubernetesWorld } from '../world.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Listed {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** The resources of a group by their names. */
async function resourcesOf({ get }: KubernetesWorld, path: string): Promise<ReadonlyMap<string, Listed>> {
  const { body } = await get(path);
  return new Map(body.resources.map((resource: Listed) => [resource.name, resource]));
}

/** What the API says that it has. */
export const discoveryCases: Cases<KubernetesWorld> = {
  'the core group has one version': async ({ get }) => {
    const { body } = await get('/api');
    expect(body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  },

  'an API group lists its versions and the preferred one': async ({ get }) => {
    const { body } = await get('/apis/policy');
    const version = { groupVersion: 'policy/v1', version: 'v1' };
    expect(body).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'policy',
      versions: [version],
      preferredVersion: version,
    });
  },

  'the API groups that Drover and its clients call exist': async ({ get }) => {
    const { body } = await get('/apis');
    expect(body.kind).toBe('APIGroupList');
    expect(body.groups.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([
        'apps',
        'authentication.k8s.io',
        'authorization.k8s.io',
        'certificates.k8s.io',
        'coordination.k8s.io',
        'events.k8s.io',
        'policy',
        'rbac.authorization.k8s.io',
        'storage.k8s.io',
      ]),
    );
  },

  'a resource has its names and its verbs': async (world) => {
    const core = await resourcesOf(world, '/api/v1');
    expect(core.get('pods')).toMatchObject({
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: everyVerb,
      shortNames: ['po'],
      categories: ['all'],
    });
    expect(core.get('nodes')).toMatchObject({
      namespaced: false,
      kind: 'Node',
      verbs: everyVerb,
      shortNames: ['no'],
    });
    const verbs = (name: string) => core.get(name)?.verbs;
    expect(verbs('namespaces')).toEqual(everyVerb.filter((verb) => verb !== 'deletecollection'));
    expect(verbs('namespaces/finalize')).toEqual(['update']);
    expect(verbs('bindings')).toEqual(['create']);
    expect(verbs('pods/status')).toEqual(['get', 'patch', 'update']);
  },

  'a subresource shows its group': async (world) => {
    const core = await resourcesOf(world, '/api/v1');
    expect(core.get('pods/eviction')).toEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
    expect(core.get('serviceaccounts/token')).toMatchObject({
      group: 'authentication.k8s.io',
      kind: 'TokenRequest',
    });
    const apps = await resourcesOf(world, '/apis/apps/v1');
    expect(apps.get('deployments/scale')).toMatchObject({ group: 'autoscaling', kind: 'Scale' });
  },

  'reviews have the verb create only': async (world) => {
    for (const group of ['authentication.k8s.io', 'authorization.k8s.io'])
      for (const { name, verbs } of (await resourcesOf(world, `/apis/${group}/v1`)).values())
        expect([name, verbs]).toEqual([name, ['create']]);
  },

  'resources are sorted by name': async ({ get }) => {
    for (const path of ['/apis/apps/v1', '/apis/certificates.k8s.io/v1', '/apis/authorization.k8s.io/v1']) {
      const { body } = await get(path);
      const listed = body.resources.map(({ name }: Listed) => name);
      expect(listed).toEqual(listed.toSorted());
    }
  },

  'the resource list of the core group has no apiVersion, and those of other groups have one': async ({
    get,
  }) => {
    const core = (await get('/api/v1')).body;
    expect([core.kind, core.groupVersion, core.apiVersion]).toEqual(['APIResourceList', 'v1', undefined]);
    const apps = (await get('/apis/apps/v1')).body;
    expect([apps.kind, apps.groupVersion, apps.apiVersion]).toEqual(['APIResourceList', 'apps/v1', 'v1']);
  },

  'aggregated discovery returns all groups in one document': async ({ get }) => {
    const { headers, body } = await get('/apis', { accept: `${aggregated},application/json` });
    expect([headers['content-type'], headers.vary]).toEqual([aggregated, 'Accept']);
    expect([body.kind, body.apiVersion]).toEqual(['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2']);
    const policy = body.items.find(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'policy',
    );
    expect(policy).toEqual({
      metadata: { name: 'policy' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'poddisruptionbudgets',
              responseKind: { group: '', version: '', kind: 'PodDisruptionBudget' },
              scope: 'Namespaced',
              singularResource: 'poddisruptionbudget',
              verbs: everyVerb,
              shortNames: ['pdb'],
              subresources: [
                {
                  subresource: 'status',
                  responseKind: { group: '', version: '', kind: 'PodDisruptionBudget' },
                  verbs: ['get', 'patch', 'update'],
                },
              ],
            },
          ],
        },
      ],
    });
    const core = (await get('/api', { accept: aggregated })).body;
    expect(core.items[0].metadata).toEqual({});
  },

  'an obsolete version of aggregated discovery is not acceptable': async ({ get }) => {
    const { status } = await get('/apis', { accept: aggregated.replace('v=v2', 'v=v2beta1') });
    expect(status).toBe(406);
  },

  'the discovery document has an ETag, and is not sent again if it matches': async ({ get }) => {
    const { headers } = await get('/apis', { accept: aggregated });
    expect(headers.etag).toMatch(/^"?[0-9A-F]+"?$/i);
    const again = await get('/apis', { accept: aggregated, 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  },

  'OpenAPI v3 has an index of groups with their URLs': async ({ get }) => {
    const { body } = await get('/openapi/v3');
    for (const path of ['api/v1', 'apis/apps/v1', 'apis/policy/v1'])
      expect(body.paths[path].serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=`));
    const document = (await get(body.paths['apis/policy/v1'].serverRelativeURL)).body;
    const patch = '/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets/{name}';
    const parameters = document.paths[patch].patch.parameters.map(({ name }: { name: string }) => name);
    expect([document.openapi, parameters]).toEqual([
      '3.0.0',
      expect.arrayContaining(['dryRun', 'fieldValidation']),
    ]);
  },

  'OpenAPI has schemas': async ({ get }) => {
    const { body } = await get('/openapi/v3/apis/policy/v1');
    const names = Object.keys(body.components.schemas);
    expect(names).toContain('io.k8s.api.policy.v1.PodDisruptionBudget');
  },

  'OpenAPI v2 exists': async ({ get }) => {
    const { status, body } = await get('/openapi/v2');
    expect([status, body?.swagger]).toEqual([200, '2.0']);
  },
};
