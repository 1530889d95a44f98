import { expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { podsNamed, run, statefulSet } from '../../local/world/workloads.ts';
import { eventsOn, nodeNameOf, nodeObjectOf } from '../support/observed-instance.ts';

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const pod = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

const isRunning = (world: DroverWorld): boolean =>
  podsNamed(world, 'db').some(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
  );

// kubernetes-sigs/aws-ebs-csi-driver#1955 and karpenter-provider-aws#6336: a StatefulSet waits six minutes for its volume.
it('a StatefulSet has its volume on another node minutes after its instance has died, not after six', async () => {
  const world = createDroverWorld();
  const ids = await withWorkers(world, { size: 3 });
  await run(world, claim, statefulSet({ name: 'db', replicas: 1, graceSeconds: 5, pod }));
  await world.timeline.until(() => isRunning(world), { withinSeconds: 120, what: 'the database' });
  await world.timeline.pass(10);
  const name = podsNamed(world, 'db')[0]?.spec?.nodeName ?? '';
  const dead = ids.find((id) => nodeNameOf(world, id) === name) ?? '';
  const diedAt = world.clock.now();
  world.account.ec2.accidents.kill(dead);
  await world.timeline.until(() => podsNamed(world, 'db').some(({ spec }) => spec?.nodeName !== name), {
    withinSeconds: 600,
    what: 'its pod on another node',
  });
  await world.timeline.until(() => isRunning(world), { withinSeconds: 600, what: 'the database again' });
  expect((world.clock.now() - diedAt) / 1000).toBeLessThan(240);
  await world.timeline.pass(300);
  expect(nodeObjectOf(world, dead)).toBeUndefined();
  expect(eventsOn(world, name)).toContain('NodeOutOfService');
});
