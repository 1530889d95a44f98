import { createDroverWorld, terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { daemonSet, deployment, podsNamed, run } from '../../../local/world/workloads.ts';
import { nodeNameOf, untilGone, untilSaid } from '../observed-instance.ts';
import { complaints, endOf, type Story } from './story.ts';

const claim = (name: string, accessMode: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: { accessModes: [accessMode], resources: { requests: { storage: '1Gi' } } },
});

const mounted = (claimName: string) => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});

/** A node leaves with volumes on it: of a pod that moves, and of one that stays to the end. */
export const volumes: Story = async (options) => {
  const world = createDroverWorld(options);
  const ids = await withWorkers(world, { size: 2 });
  await run(
    world,
    claim('data', 'ReadWriteOnce'),
    claim('agents', 'ReadWriteMany'),
    deployment({ name: 'db', replicas: 1, pod: mounted('data') }),
    daemonSet({ name: 'agent', pod: mounted('agents') }),
  );
  const holder = podsNamed(world, 'db')[0]?.spec?.nodeName;
  const subject = ids.find((id) => nodeNameOf(world, id) === holder) ?? '';
  terminate(world, subject, { replace: false });
  const ending = await endOf(async () => {
    await untilSaid(world, subject, /its volumes are not yet detached/, 60);
    await untilGone(world, subject, 120);
  });
  return [...complaints(world), ...ending];
};
