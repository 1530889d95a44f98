import { describe, expect, test } from 'vitest';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName } from '../../local/names.ts';
import { createDroverWorld, type DroverWorldOptions, membersOf } from '../support/drover-world.ts';

const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

/** Drover with kubelets that read the credential it publishes, and have no rights but those of certificates that it approves. */
async function startWorld(options: DroverWorldOptions = {}) {
  const world = createDroverWorld({
    ...options,
    kubelets: {
      ask: {
        bootstrapParameter: () =>
          world.lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '',
      },
    },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  const requests = () => world.kubernetes.store.of(requestsResource).list();
  return {
    world,
    requests,
    launch: (size: number) =>
      addGroup(world, {
        autoScalingGroupName: 'workers',
        clusterName,
        size,
        settings: { MaxSize: size },
      }),
    readyNodes: () =>
      world.kubernetes.store
        .of('nodes')
        .list()
        .filter(({ status }) =>
          status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
        ).length,
  };
}

describe('kubelets that ask for their certificates', () => {
  test('join with what Drover approves, and get their serving certificates', async () => {
    const { world, requests, launch, readyNodes } = await startWorld();
    launch(3);
    await world.timeline.until(() => readyNodes() === 3, { withinSeconds: 150, what: 'three Ready nodes' });
    await world.timeline.pass(65);
    expect(membersOf(world)).toHaveLength(3);
    expect(requests().map(({ status }) => status?.conditions?.map(({ reason }) => reason))).toEqual(
      Array.from({ length: 6 }, () => ['DroverApproved']),
    );
    expect(requests().every(({ status }) => status?.certificate !== undefined)).toBe(true);
    expect(world.problems).toEqual([]);
  });

  test.each([10, 90])(
    'join while AWS answers as it was %i seconds ago, and none is denied',
    async (seconds) => {
      const { world, requests, launch, readyNodes } = await startWorld({
        weather: { staleSeconds: ({ caller }) => (caller === 'certificate-requests' ? seconds : 0) },
      });
      launch(3);
      await world.timeline.until(() => readyNodes() === 3, {
        withinSeconds: 150 + seconds,
        what: 'three Ready nodes',
      });
      await world.timeline.pass(65);
      expect(requests().map(({ status }) => status?.conditions?.map(({ reason }) => reason))).toEqual(
        Array.from({ length: 6 }, () => ['DroverApproved']),
      );
    },
  );

  test('are not approved by anything else while the function does not run', async () => {
    const withoutSchedule: DroverWorldOptions['editWiring'] = (wiring) => ({
      ...wiring,
      rules: wiring.rules.filter(({ rule }) => !rule.Name.endsWith('certificate-requests')),
    });
    const { world, requests, launch, readyNodes } = await startWorld({ editWiring: withoutSchedule });
    launch(2);
    await world.timeline.pass(600);
    expect(requests()).toHaveLength(2);
    expect(requests().flatMap(({ status }) => status?.conditions ?? [])).toEqual([]);
    expect(readyNodes()).toBe(0);
  });

  test('join sixty at once, each request decided within a minute', async () => {
    const { world, requests, launch, readyNodes } = await startWorld();
    launch(60);
    await world.timeline.until(() => readyNodes() === 60, {
      withinSeconds: 300,
      what: 'sixty Ready nodes',
    });
    await world.timeline.pass(65);
    const waits = requests().map(({ metadata, status }) => {
      const { lastUpdateTime = '' } = status?.conditions?.[0] ?? {};
      return (Date.parse(lastUpdateTime) - Date.parse(metadata.creationTimestamp ?? '')) / 1000;
    });
    expect(waits).toHaveLength(120);
    expect(Math.max(...waits)).toBeLessThanOrEqual(61);
    expect(world.problems).toEqual([]);
  });
});
