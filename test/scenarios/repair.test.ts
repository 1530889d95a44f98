import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import type { GroupPlan } from '../../local/cloud/furnish.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  stateOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, request, run } from '../../local/world/workloads.ts';
import { inService } from '../support/joining-world.ts';
import { nodeNameOf, nodeObjectOf, untilGone } from '../support/observed-instance.ts';
import { withRoleStatement } from '../support/wiring.ts';

const tags = { 'drover.dev/repair': 'NotReady=10m KernelReadonlyFilesystem=5m' };

/** Workers of a group with repair, and the calls of SetInstanceHealth that were sent for it. */
async function withRepair(
  size: number,
  options: DroverWorldOptions & {
    readonly groupTags?: Readonly<Record<string, string>>;
    readonly settings?: GroupPlan['settings'];
  } = {},
) {
  const { groupTags = tags, settings = {}, weather, ...others } = options;
  const sent: number[] = [];
  const strike = (call: CallInFlight): Strike | undefined => {
    if (call.what === 'autoscaling SetInstanceHealth') sent.push(world.clock.now());
    return weather?.strike?.(call);
  };
  const world: DroverWorld = createDroverWorld({ ...others, weather: { ...weather, strike } });
  const ids = await withWorkers(world, { size, tags: groupTags, settings });
  await run(world, deployment({ name: 'web', replicas: size * 2 }));
  return { world, ids, sent };
}

const die = (world: DroverWorld, ids: readonly string[]): void => {
  for (const id of ids) world.kubelets.get(id)?.stop();
};

/** The latest log line of the sweep about a failing node. */
const findingOf = (world: DroverWorld, node: string) => world.lines.findLast((line) => line['node'] === node);

const withheld = ({ lines }: DroverWorld): number =>
  lines.reduce((sum, { RepairsWithheld = 0 }) => sum + Number(RepairsWithheld), 0);

/** Lets time pass until the condition holds, and returns the smallest number of instances in service meanwhile. */
async function fewestInService(
  world: DroverWorld,
  withinSeconds: number,
  hasEnded: () => boolean,
): Promise<number> {
  let fewest = Infinity;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, inService(world).length);
      return hasEnded();
    },
    { withinSeconds, what: 'the end of the instances' },
  );
  return fewest;
}

describe('a node whose kubelet has died', () => {
  it('is replaced once it has not been Ready for as long as its group allows, and its pods run elsewhere', async () => {
    const { world, ids, sent } = await withRepair(3);
    const [dead = ''] = ids;
    const node = nodeNameOf(world, dead);
    const diedAt = world.clock.now();
    die(world, [dead]);
    await untilGone(world, dead, 7200);
    expect((sent[0] ?? 0) - diedAt).toBeGreaterThanOrEqual(600_000);
    expect((sent[0] ?? 0) - diedAt).toBeLessThan(600_000 + 50_000 + 300_000);
    await world.timeline.pass(300);
    expect(inService(world)).toHaveLength(3);
    expect(nodeObjectOf(world, dead)).toBeUndefined();
    expect(podsOn(world, node)).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(world.problems).toEqual([]);
  });

  it('is kept without the tag', async () => {
    const { world, ids, sent } = await withRepair(3, { groupTags: {} });
    die(world, ids.slice(0, 1));
    await world.timeline.pass(7200);
    expect(sent).toEqual([]);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual(ids);
  });

  it('is kept while its group is paused', async () => {
    const { world, ids, sent } = await withRepair(3, {
      groupTags: { ...tags, 'drover.dev/paused': 'by=ana' },
    });
    die(world, ids.slice(0, 1));
    await world.timeline.pass(3600);
    expect(sent).toEqual([]);
    expect(findingOf(world, nodeNameOf(world, ids[0] ?? ''))).toMatchObject({ verdict: 'left-alone' });
  });

  it('is kept in Standby', async () => {
    const { world, ids, sent } = await withRepair(3);
    const [dead = ''] = ids;
    world.account.autoScaling.operations.EnterStandby({
      AutoScalingGroupName: 'workers',
      InstanceIds: [dead],
      ShouldDecrementDesiredCapacity: true,
    });
    die(world, [dead]);
    await world.timeline.pass(3600);
    expect(sent).toEqual([]);
    expect(stateOf(world, dead)).toBe('Standby');
  });

  it('is kept during the health check grace period of its group, and is replaced after it', async () => {
    const { world, ids, sent } = await withRepair(3, { settings: { HealthCheckGracePeriod: 3600 } });
    const [dead = ''] = ids;
    die(world, [dead]);
    await world.timeline.pass(3000);
    expect(sent.length).toBeGreaterThan(3);
    expect(stateOf(world, dead)).toBe('InService');
    await untilGone(world, dead, 1800);
  });

  it('that recovers in time is kept', async () => {
    const { world, ids, sent } = await withRepair(3);
    const [hung = ''] = ids;
    world.kubelets.get(hung)?.pause();
    await world.timeline.pass(500);
    world.kubelets.get(hung)?.resume();
    await world.timeline.pass(3600);
    expect(sent).toEqual([]);
  });
});

it('a node whose agent has set a condition of the tag is drained and replaced', async () => {
  const { world, ids, sent } = await withRepair(3);
  const [broken = ''] = ids;
  const name = nodeNameOf(world, broken);
  const condition = {
    type: 'KernelReadonlyFilesystem',
    status: 'True',
    lastTransitionTime: new Date(world.clock.now()).toISOString(),
  };
  const patch = { status: { conditions: [condition] } };
  expect((await request(world, 'PATCH', `/api/v1/nodes/${name}/status`, patch)).status).toBe(200);
  await untilGone(world, broken, 1800);
  expect(sent).toHaveLength(1);
  expect(nodeObjectOf(world, broken)).toBeUndefined();
});

describe('several nodes that have died', () => {
  it('are replaced one after the other if they are two of six', async () => {
    const { world, ids, sent } = await withRepair(6);
    const dead = ids.slice(0, 2);
    die(world, dead);
    const fewest = await fewestInService(world, 4 * 3600, () =>
      dead.every((id) => stateOf(world, id) === undefined),
    );
    expect(fewest).toBe(5);
    expect(sent).toHaveLength(2);
  });

  it('wait an hour between replacements if they are two of five', async () => {
    const { world, ids, sent } = await withRepair(5);
    die(world, ids.slice(0, 2));
    await world.timeline.pass(3 * 3600);
    expect(sent).toHaveLength(2);
    expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(3600 * 1000);
  });

  it('wait an hour between replacements also if the functions have just started', async () => {
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      what === 'autoscaling SetInstanceHealth' ? { kind: 'kill-after' } : undefined;
    const { world, ids, sent } = await withRepair(5, { weather: { strike } });
    die(world, ids.slice(0, 2));
    await world.timeline.pass(4000);
    expect(sent).toHaveLength(1);
  });

  it('are not replaced if they are three of five, and the sweep reports it', async () => {
    const { world, ids, sent } = await withRepair(5);
    die(world, ids.slice(0, 3));
    await world.timeline.pass(3600);
    expect(sent).toEqual([]);
    expect(withheld(world)).toBeGreaterThan(0);
    expect(findingOf(world, nodeNameOf(world, ids[0] ?? ''))).toMatchObject({
      verdict: 'withheld',
      reason: expect.stringContaining('3 of the 5 Nodes of the cluster fail'),
    });
  });

  it('are not replaced if all nodes seem dead because the API server was down', async () => {
    let isAway = false;
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const { world, ids, sent } = await withRepair(5, { weather: { strike } });
    isAway = true;
    for (const id of ids) world.kubelets.get(id)?.pause();
    await world.timeline.pass(3600);
    expect(JSON.stringify(world.problems)).toContain('sweep');
    isAway = false;
    await world.timeline.pass(1200);
    for (const id of ids) world.kubelets.get(id)?.resume();
    await world.timeline.pass(1200);
    expect(sent).toEqual([]);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual(ids);
  });
});

describe('SetInstanceHealth', () => {
  const duringRepair = async (faultOf: (count: number) => Strike | undefined, seconds: number) => {
    let count = 0;
    const strike = ({ what }: CallInFlight): Strike | undefined => {
      if (what !== 'autoscaling SetInstanceHealth') return undefined;
      count += 1;
      return faultOf(count);
    };
    const repair = await withRepair(6, { weather: { strike } });
    die(repair.world, repair.ids.slice(0, 2));
    await repair.world.timeline.pass(seconds);
    return repair;
  };

  it('that is denied changes nothing, and the sweep fails with the name of the action', async () => {
    const { world, ids, sent } = await withRepair(6, {
      editWiring: withRoleStatement('drover-dev-sweep', 'Repair'),
    });
    die(world, ids.slice(0, 2));
    await world.timeline.pass(3600);
    expect(sent.length).toBeGreaterThan(3);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual(ids);
    expect(JSON.stringify(world.problems)).toContain('autoscaling:SetInstanceHealth');
    // The rest of each sweep is done.
    expect(world.lines.filter(({ message }) => message === 'sweep').length).toBeGreaterThan(10);
    expect(world.lines).toContainEqual(expect.objectContaining({ functionName: 'sweep', FailedPasses: 1 }));
  });

  it.each(['hang-before', 'hang-after', 'fail-after', 'kill-before', 'kill-after'] as const)(
    'that meets %s once still replaces one node after the other',
    async (kind) => {
      const { world, ids } = await duringRepair((count) => (count === 1 ? { kind } : undefined), 4 * 3600);
      const replaced = ids.filter((id) => stateOf(world, id) === undefined);
      expect(replaced).toEqual(ids.slice(0, 2));
      expect(inService(world)).toHaveLength(6);
    },
  );
});

describe('when any one call of the sweep', () => {
  it.each(['fail-before', 'hang-before', 'kill-after'] as const)(
    'meets %s, a group of six replaces two dead nodes one after the other',
    async (kind) => {
      let wasReached = true;
      let nth = 0;
      for (nth = 1; wasReached && nth <= 12; nth += 1) {
        let seen = -Infinity;
        const strike = ({ caller }: CallInFlight): Strike | undefined => {
          if (caller !== 'sweep') return undefined;
          seen += 1;
          return seen === nth ? { kind } : undefined;
        };
        const { world, ids } = await withRepair(6, { weather: { strike } });
        const dead = ids.slice(0, 2);
        die(world, dead);
        // The sweep before the one in which the first node is due.
        await world.timeline.pass(600);
        seen = 0;
        const fewest = await fewestInService(world, 3600, () =>
          dead.every((id) => stateOf(world, id) === undefined),
        );
        expect(fewest, `call ${nth}`).toBe(5);
        wasReached = seen >= nth;
      }
      expect(nth).toBeGreaterThan(8);
    },
  );
});

it('two sweeps at the same time choose the same node, even if answers of Auto Scaling are a minute old', async () => {
  let staleSeconds = 0;
  const { world, ids } = await withRepair(10, { weather: { staleSeconds: () => staleSeconds } });
  const dead = ids.slice(0, 3);
  die(world, dead);
  await world.timeline.pass(500);
  staleSeconds = 60;
  let fewest = 10;
  for (let round = 0; round < 40; round += 1) {
    await Promise.allSettled([world.lambda.invoke('sweep', {}), world.lambda.invoke('sweep', {})]);
    const next = world.clock.now() + 30_000;
    fewest = Math.min(fewest, await fewestInService(world, 60, () => world.clock.now() >= next));
  }
  expect(fewest).toBe(9);
  const replaced = ids.filter((id) => stateOf(world, id) === undefined);
  expect(replaced).toHaveLength(2);
  expect(dead).toEqual(expect.arrayContaining(replaced));
});

it('stale Nodes of a watch cache do not cause a repair', async () => {
  let staleSeconds = 0;
  const { world, ids, sent } = await withRepair(3, {
    weather: { staleSeconds: ({ to }) => (to === 'kubernetes' ? staleSeconds : 0) },
  });
  const [hung = ''] = ids;
  world.kubelets.get(hung)?.pause();
  await world.timeline.pass(300);
  world.kubelets.get(hung)?.resume();
  await world.timeline.pass(10);
  // The cache still shows the Node as it was before.
  staleSeconds = 120;
  await world.timeline.pass(3600);
  expect(sent).toEqual([]);
});
