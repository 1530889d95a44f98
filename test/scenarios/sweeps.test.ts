import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorldOptions,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { nodeObjectOf, untilGone } from '../support/observed-instance.ts';

/** Loses every event and keeps the schedules. */
const withoutEvents: DroverWorldOptions['editWiring'] = (wiring) => ({
  ...wiring,
  rules: wiring.rules.filter(({ rule }) => rule.ScheduleExpression !== undefined),
});

it('the sweep sends every wait if the nodes cannot be listed, so that no instance is lost with its event', async () => {
  let isAway = false;
  const strike = ({ to }: CallInFlight): Strike | undefined =>
    isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
  const world = createDroverWorld({
    weather: { strike },
    editWiring: withoutEvents,
  });
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  // Its heartbeat timeout of five minutes ends long before the API server is back.
  isAway = true;
  terminate(world, leaving, { replace: false });
  await world.timeline.pass(1200);
  expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  expect(nodeObjectOf(world, leaving)).toBeDefined();
  isAway = false;
  await untilGone(world, leaving, 900);
  expect(nodeObjectOf(world, leaving)).toBeUndefined();
});

it('the sweep reads its parts independently: if the hooks of one group cannot be read, it still finds the waits of another', async () => {
  let describes = 0;
  const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
    if (!caller.includes('sweep') || what !== 'autoscaling DescribeLifecycleHooks') return undefined;
    describes += 1;
    return describes % 2 === 1 ? { kind: 'fail-before' } : undefined;
  };
  const world = createDroverWorld({
    weather: { strike },
    editWiring: withoutEvents,
  });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
  const [leaving = ''] = await withWorkers(world, { size: 1 });
  terminate(world, leaving, { replace: false });
  await untilGone(world, leaving, 1200);
  expect(nodeObjectOf(world, leaving)).toBeUndefined();
});

it('a sweep whose list of groups is throttled reports that, and does not fail', async () => {
  const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
    caller.includes('sweep') && what === 'autoscaling DescribeAutoScalingGroups'
      ? { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) }
      : undefined;
  const world = createDroverWorld({ weather: { strike } });
  await withWorkers(world, { size: 1 });
  await world.timeline.pass(900);
  expect(world.problems).toEqual([]);
  expect(JSON.stringify(world.lines)).toContain('the waits and Nodes');
  expect(world.lines).toContainEqual(expect.objectContaining({ functionName: 'sweep', FailedPasses: 1 }));
});

it('a sweep that could not read everything is counted as a pass that failed', async () => {
  let isDenied = true;
  const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
    isDenied && caller.includes('sweep') && what === 'autoscaling DescribeLifecycleHooks'
      ? { kind: 'fail-before' }
      : undefined;
  const world = createDroverWorld({ weather: { strike } });
  await withWorkers(world, { size: 1 });
  const failed = () =>
    world.lines.flatMap(({ functionName, FailedPasses }) =>
      functionName === 'sweep' && FailedPasses !== undefined ? [FailedPasses] : [],
    );
  const before = failed().length;
  await world.timeline.pass(900);
  const partly = failed().slice(before);
  expect(partly).not.toHaveLength(0);
  expect(new Set(partly)).toEqual(new Set([1]));
  expect(world.lines).toContainEqual(
    expect.objectContaining({
      functionName: 'sweep',
      level: 'error',
      message: 'a part of the sweep was not done, and the next sweep tries again',
      items: ['the hooks of group workers'],
    }),
  );
  isDenied = false;
  await world.timeline.pass(900);
  expect(failed().at(-1)).toBe(0);
});
