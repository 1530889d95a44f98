import { describe, expect, it } from 'vitest';
import { bodyOf, createCluster } from './support.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

// What kube-apiserver 1.34.4 sends; * marks what only `-o wide` shows.
const columns: Readonly<Record<string, string>> = {
  'api/v1/endpoints': 'Name, Endpoints, Age',
  'api/v1/events':
    'Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*',
  'api/v1/limitranges': 'Name, Created At',
  'api/v1/persistentvolumeclaims':
    'Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode*',
  'api/v1/persistentvolumes':
    'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode*',
  'api/v1/services': 'Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*',
  'apis/apiextensions.k8s.io/v1/customresourcedefinitions': 'Name, Created At',
  'apis/certificates.k8s.io/v1/certificatesigningrequests':
    'Name, Age, SignerName, Requestor, RequestedDuration, Condition',
  'apis/discovery.k8s.io/v1/endpointslices': 'Name, AddressType, Ports, Endpoints, Age',
  'apis/rbac.authorization.k8s.io/v1/clusterrolebindings':
    'Name, Role, Age, Users*, Groups*, ServiceAccounts*',
  'apis/rbac.authorization.k8s.io/v1/clusterroles': 'Name, Created At',
  'apis/rbac.authorization.k8s.io/v1/rolebindings': 'Name, Role, Age, Users*, Groups*, ServiceAccounts*',
  'apis/rbac.authorization.k8s.io/v1/roles': 'Name, Created At',
  'apis/scheduling.k8s.io/v1/priorityclasses': 'Name, Value, Global-Default, Age, PreemptionPolicy',
  'apis/storage.k8s.io/v1/storageclasses':
    'Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age',
  'apis/storage.k8s.io/v1/volumeattachments': 'Name, Attacher, PV, Node, Attached, Age',
};

describe('a table', () => {
  it.each(Object.entries(columns))('of %s has the columns that kubectl shows', async (path, expected) => {
    const { call } = createCluster();
    const { columnDefinitions } = bodyOf(await call('GET', `/${path}`, undefined, table));
    const names = columnDefinitions.map(
      ({ name, priority }: { name: string; priority: number }) => `${name}${priority > 0 ? '*' : ''}`,
    );
    expect(names.join(', ')).toBe(expected);
  });

  it('of role bindings shows their subjects', async () => {
    const { call } = createCluster();
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
    await call('POST', path, {
      metadata: { name: 'b' },
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'bob' },
        { kind: 'User', name: 'eve' },
        { kind: 'ServiceAccount', namespace: 'default', name: 'robot' },
      ],
    });
    const { rows } = bodyOf(await call('GET', path, undefined, table));
    expect(rows[0].cells).toEqual(['b', 'Role/r', '0s', 'bob, eve', '', 'default/robot']);
  });

  it('of volumes shows their capacity and access modes', async () => {
    const { call } = createCluster();
    await call('POST', '/api/v1/persistentvolumes', {
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] },
    });
    const { rows } = bodyOf(await call('GET', '/api/v1/persistentvolumes', undefined, table));
    expect(rows[0].cells.slice(0, 3)).toEqual(['v', '1Gi', 'RWO,ROX']);
  });
});

describe('the API server', () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  it('serves an empty list of CustomResourceDefinitions, and refuses to create one', async () => {
    const { call } = createCluster();
    expect(bodyOf(await call('GET', definitions)).items).toEqual([]);
    expect((await call('POST', definitions, { metadata: { name: 'a.b' } })).status).toBe(405);
  });

  it('increments the generation of kinds that have one, and of no others', async () => {
    const { call } = createCluster();
    await call('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec: { unschedulable: true } });
    const node = await call('PATCH', '/api/v1/nodes/n', { spec: { unschedulable: false } }, merge);
    expect(bodyOf(node).metadata.generation).toBeUndefined();
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    await call('POST', budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1 } });
    const budget = await call('PATCH', `${budgets}/b`, { spec: { minAvailable: 2 } }, merge);
    expect(bodyOf(budget).metadata.generation).toBe(2);
  });

  it('omits empty fields, as Go does, so that they do not count as a change', async () => {
    const { call } = createCluster();
    const path = '/api/v1/namespaces/default/configmaps';
    const made = bodyOf(await call('POST', path, { metadata: { name: 'c', labels: {} } }));
    const same = await call('PATCH', `${path}/c`, { metadata: { annotations: {}, finalizers: [] } }, merge);
    expect(bodyOf(same)).toEqual(made);
    expect(Object.keys(made.metadata)).not.toContain('labels');
  });

  it('labels a Namespace with its name', async () => {
    const { call } = createCluster();
    const made = bodyOf(await call('POST', '/api/v1/namespaces', { metadata: { name: 'n' } }));
    expect(made.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'n' });
  });
});

const merge = { 'content-type': 'application/merge-patch+json' };
