import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { inGroup, made, nameOf, pod } from '../objects.ts';
import { type KubernetesWorld, uniqueName } from '../world.ts';

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly priority: number;
}

/** The names of the columns; those that only `-o wide` shows in brackets. */
async function columnsOf({ get }: KubernetesWorld, path: string): Promise<string> {
  const { body } = await get(`${path}?limit=1`, { accept });
  return body.columnDefinitions
    .map(({ name, priority }: Column) => (priority === 0 ? name : `[${name}]`))
    .join(' ');
}

const columns: Readonly<Record<string, string>> = {
  '/api/v1/pods': 'Name Ready Status Restarts Age [IP] [Node] [Nominated Node] [Readiness Gates]',
  '/api/v1/nodes':
    'Name Status Roles Age Version [Internal-IP] [External-IP] [OS-Image] [Kernel-Version] [Container-Runtime]',
  '/api/v1/namespaces': 'Name Status Age',
  '/api/v1/secrets': 'Name Type Data Age',
  '/api/v1/configmaps': 'Name Data Age',
  '/api/v1/services': 'Name Type Cluster-IP External-IP Port(s) Age [Selector]',
  '/api/v1/serviceaccounts': 'Name Secrets Age',
  '/apis/apps/v1/deployments': 'Name Ready Up-to-date Available Age [Containers] [Images] [Selector]',
  '/apis/apps/v1/replicasets': 'Name Desired Current Ready Age [Containers] [Images] [Selector]',
  '/apis/apps/v1/statefulsets': 'Name Ready Age [Containers] [Images]',
  '/apis/policy/v1/poddisruptionbudgets': 'Name Min Available Max Unavailable Allowed Disruptions Age',
  '/apis/coordination.k8s.io/v1/leases': 'Name Holder Age',
};

const widerColumns: Readonly<Record<string, string>> = {
  '/api/v1/events': 'Last Seen Type Reason Object [Subobject] [Source] Message [First Seen] [Count] [Name]',
  '/api/v1/persistentvolumes':
    'Name Capacity Access Modes Reclaim Policy Status Claim StorageClass VolumeAttributesClass Reason Age [VolumeMode]',
  '/api/v1/persistentvolumeclaims':
    'Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age [VolumeMode]',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests':
    'Name Age SignerName Requestor RequestedDuration Condition',
  '/apis/storage.k8s.io/v1/volumeattachments': 'Name Attacher PV Node Attached Age',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': 'Name Created At',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings': 'Name Role Age [Users] [Groups] [ServiceAccounts]',
  '/apis/scheduling.k8s.io/v1/priorityclasses': 'Name Value Global-Default Age PreemptionPolicy',
};

/** Tables: what `kubectl get` prints. */
export const tableCases: Cases<KubernetesWorld> = {
  'tables of pods, nodes and workloads have the columns that kubectl shows': async (world) => {
    for (const [path, expected] of Object.entries(columns))
      expect([path, await columnsOf(world, path)]).toEqual([path, expected]);
  },

  'tables of other resources have the columns that kubectl shows': async (world) => {
    for (const [path, expected] of Object.entries(widerColumns))
      expect([path, await columnsOf(world, path)]).toEqual([path, expected]);
  },

  'the first column of a table is the name': async ({ get }) => {
    const { body } = await get('/api/v1/namespaces/default', { accept });
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.columnDefinitions[0]).toMatchObject({
      name: 'Name',
      type: 'string',
      format: 'name',
      priority: 0,
    });
    expect(body.rows[0].cells.slice(0, 2)).toEqual(['default', 'Active']);
  },

  'a row includes the metadata of its object, the whole object or nothing': async ({ get }) => {
    const row = async (include: string) =>
      (await get(`/api/v1/namespaces/default?includeObject=${include}`, { accept })).body.rows[0].object;
    expect(await row('Metadata')).toMatchObject({
      kind: 'PartialObjectMetadata',
      metadata: { name: 'default' },
    });
    expect(await row('Object')).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } });
    expect(await row('None')).toBeNull();
  },

  'a pod row shows Pending, Running, Terminating or the reason of the end': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a', { spec: { nodeName: 'nowhere' } }));
    const status = async () => (await world.get(`${path}/a`, { accept })).body.rows[0].cells[2];
    const seen = [await status()];
    await world.patch(`${path}/a/status`, 'merge', { status: { phase: 'Running' } });
    seen.push(await status());
    await world.delete(`${path}/a`);
    seen.push(await status());
    expect(seen).toEqual(['Pending', 'Running', 'Terminating']);
  },

  'a node row shows Ready or NotReady, and whether it is cordoned': async (world) => {
    const name = uniqueName('node');
    const roles = { 'node-role.kubernetes.io/worker': '' };
    await made(world, '/api/v1/nodes', { metadata: { name, labels: roles } });
    const path = `/api/v1/nodes/${name}`;
    const cells = async () => (await world.get(path, { accept })).body.rows[0].cells.slice(0, 3);
    const ready = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });
    expect(await cells()).toEqual([name, 'Unknown', 'worker']);
    await world.patch(`${path}/status`, 'merge', ready('True'));
    await world.patch(path, 'merge', { spec: { unschedulable: true } });
    expect(await cells()).toEqual([name, 'Ready,SchedulingDisabled', 'worker']);
    await world.patch(`${path}/status`, 'merge', ready('False'));
    expect((await cells())[1]).toBe('NotReady,SchedulingDisabled');
    await world.delete(path);
  },

  'a budget row shows its bounds': async (world) => {
    const path = `${inGroup(await world.namespace(), 'policy/v1')}/poddisruptionbudgets`;
    await made(world, path, { metadata: { name: 'a' }, spec: { minAvailable: '50%' } });
    const { body } = await world.get(`${path}/a`, { accept });
    expect(body.rows[0].cells.slice(0, 4)).toEqual(['a', '50%', 'N/A', 0]);
    expect(nameOf(path)).toBe('poddisruptionbudgets');
  },
};
