import { adminOf } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { watchPodEnds } from '../../../scripts/bench/real/pod-ends.ts';

const pods = '/api/v1/namespaces/default/pods';
const names = Array.from({ length: 40 }, (_, index) => `web-${index}`);

let cluster: BareCluster | undefined;
beforeAll(async () => {
  if (kubernetes.isInstalled) cluster = await startBareCluster();
});
afterAll(() => cluster?.close());

describe.skipIf(!kubernetes.isInstalled)('ends of pods in the bench against other tools', () => {
  test('a pod has ended exactly if the API server deleted it before it was killed', async () => {
    if (!cluster) throw new Error('the API server is not there');
    const { controlPlane } = cluster;
    const admin = adminOf(controlPlane);
    await Promise.all(names.map((name) => createItem(admin, pods, podOf(name))));
    const onProblem = vi.fn();
    const ends = await watchPodEnds(controlPlane.etcdUrl, onProblem);

    const answers = names.map((name) =>
      requestOf(admin, { method: 'DELETE', path: `${pods}/${name}`, body: { gracePeriodSeconds: 0 } }),
    );
    await Promise.any(answers);
    await controlPlane.apiServer.kill();
    await Promise.allSettled(answers);
    await controlPlane.apiServer.start();

    const left = await listItems<{ readonly metadata: { readonly name: string } }>(admin, pods);
    const leftNames = new Set(left.map(({ metadata }) => metadata.name));
    const gone = names.filter((name) => !leftNames.has(name));
    expect(gone.length).toBeGreaterThan(0);
    expect(new Set(ends.at.keys())).toEqual(new Set(gone));
    ends.stop();
    expect(onProblem).not.toHaveBeenCalled();
  });
});

const podOf = (name: string): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
});
