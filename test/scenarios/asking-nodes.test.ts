import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';
import { describe, expect, test } from 'vitest';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName } from '../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
} from '../../local/world/drover-world.ts';

const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

/** Drover with kubelets that read the credential it publishes, and have no rights but those of certificates that it approves. */
async function startWorld(
  options: DroverWorldOptions = {},
  suffixOf: (instance: SimulatedInstance) => string = () => '',
) {
  const world: DroverWorld = createDroverWorld({
    ...options,
    kubelets: {
      ask: {
        bootstrapParameter: (instance) => {
          const { environment } = world.lambda.functionOf('bootstrap-credential');
          return `${environment.DROVER_BOOTSTRAP_PARAMETER}${suffixOf(instance)}`;
        },
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

describe('tokens of two roles', () => {
  const bothRoles: DroverWorldOptions['editWiring'] = (wiring) => {
    // The package of this stage lets the function write the parameters of workers.
    const widened = JSON.stringify(wiring).replaceAll(
      'bootstrap-kubeconfig-tokens',
      'bootstrap-kubeconfig-*',
    );
    const { functions, ...rest }: typeof wiring = JSON.parse(widened);
    const environment = { DROVER_BOOTSTRAP_ROLES: 'worker,control-plane' };
    return {
      ...rest,
      functions: functions.map((one) =>
        one.name === 'bootstrap-credential'
          ? { ...one, environment: { ...one.environment, ...environment } }
          : one,
      ),
    };
  };
  /** Instances of control planes read the parameter of this role. */
  async function launchBoth(readBy: 'worker' | 'control-plane') {
    const { world, requests, readyNodes } = await startWorld({ editWiring: bothRoles }, ({ tags }) =>
      tags.get('drover.dev/role') === readBy ? '-control-plane' : '',
    );
    for (const role of ['worker', 'control-plane'] as const)
      addGroup(world, { autoScalingGroupName: role, role, clusterName, size: 1 });
    await world.timeline.pass(200);
    return { world, requests, readyNodes };
  }

  test('let each node join with that of its own role', async () => {
    const { world, readyNodes } = await launchBoth('control-plane');
    expect(readyNodes()).toBe(2);
    expect(world.problems).toEqual([]);
  });

  test('let no node join with that of the other role', async () => {
    const { requests, readyNodes } = await launchBoth('worker');
    expect(readyNodes()).toBe(0);
    const reasons = requests().flatMap(({ status }) => status?.conditions ?? []);
    expect(reasons.map(({ type, message }) => `${type}: ${message}`).toSorted()).toEqual([
      expect.stringMatching(/^Denied: .*role control-plane, and group worker has role worker/),
      expect.stringMatching(/^Denied: .*role worker, and group control-plane has role control-plane/),
    ]);
  });
});

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
