import { expect, it } from 'vitest';
import { createDroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { deployment, request, run } from '../../local/world/workloads.ts';
import { eventsOn, nodeNameOf, untilGone } from '../support/observed-instance.ts';

/** Reported in kubernetes-sigs/karpenter#2169; the wait itself answers NTH #651: the claim of a volume was deleted by force, and nothing detaches the volume. */
it('a VolumeAttachment that is left for good holds an empty node for five minutes', async () => {
  const world = createDroverWorld();
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  await run(world, deployment({ name: 'web', replicas: 3 }));
  const node = nodeNameOf(world, leaving);
  await request(world, 'POST', '/apis/storage.k8s.io/v1/volumeattachments', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'csi-left', finalizers: ['external-attacher/ebs-csi-aws-com'] },
    spec: { attacher: 'ebs.csi.aws.com', nodeName: node, source: { persistentVolumeName: 'pvc-of-nothing' } },
  });
  await request(world, 'PATCH', `/api/v1/nodes/${node}/status`, {
    status: { volumesAttached: [{ name: 'kubernetes.io/csi/ebs.csi.aws.com^vol-1', devicePath: '' }] },
  });
  terminate(world, leaving, { replace: false });
  const seconds = await untilGone(world, leaving, 1200);
  expect(seconds).toBeGreaterThan(300);
  expect(seconds).toBeLessThan(400);
  expect(eventsOn(world, node)).toContain('VolumesAttached');
});
