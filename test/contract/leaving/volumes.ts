import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { expect } from 'vitest';
import { daemonSet, deployment } from '../../../local/world/workloads.ts';
import type { World } from '../worlds/world.ts';
import { list } from './support/api.ts';
import { stateOf, terminate, untilGone, workers } from './support/groups.ts';
import { nodeNameOf } from './support/nodes.ts';
import { passesOf, untilSaid } from './support/passes.ts';
import { create } from './support/pods.ts';

const claim = (accessMode: 'ReadWriteOnce' | 'ReadWriteMany') => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: [accessMode], resources: { requests: { storage: '1Gi' } } },
});

const pod = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

async function isAttachedTo(world: World, nodeName: string): Promise<boolean> {
  const attachments = await list<VolumeAttachment>(world, '/apis/storage.k8s.io/v1/volumeattachments');
  return attachments.some(({ spec, status }) => spec?.nodeName === nodeName && status?.attached === true);
}

async function untilAttached(world: World, instanceId: string): Promise<void> {
  const node = await nodeNameOf(world, instanceId);
  await world.until(() => isAttachedTo(world, node), { withinSeconds: 60, what: 'the volume attached' });
  // The Node says so a moment later.
  await world.pass(3);
}

/** Volumes that hang on the node that leaves. */
export const volumeCases: Cases<World> = {
  // NTH #651.
  'a node is kept until the volumes of the pods that left it are detached': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await create(
      world,
      claim('ReadWriteOnce'),
      deployment({ name: 'db', replicas: 1, graceSeconds: 2, pod }),
    );
    await untilAttached(world, leaving);
    const node = await nodeNameOf(world, leaving);
    terminate(world, leaving);
    await untilSaid(world, leaving, /its pods are gone, its volumes are not yet detached: pvc-/);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    await untilSaid(world, leaving, /is drained and deleted/);
    expect(await isAttachedTo(world, node)).toBe(false);
    await untilGone(world, leaving);
  },

  'volumes of pods that stay on the node are not waited for': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await create(world, claim('ReadWriteMany'), daemonSet({ name: 'agent', graceSeconds: 2, pod }));
    await untilAttached(world, leaving);
    terminate(world, leaving);
    expect(await untilGone(world, leaving)).toBeLessThan(15);
    expect(passesOf(world, leaving).map(({ reason }) => reason)).not.toContainEqual(
      expect.stringContaining('not yet detached'),
    );
  },
};
