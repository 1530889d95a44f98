import { expect, it } from 'vitest';
import { awaitLoadBalancers } from '../../../../shared/leaving/steps/await-load-balancers.ts';
import { markedAt } from '../../../support/leave-state.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { instanceId, node } from '../../../support/pods.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

const planUntil = (deadline: number) => ({
  hooks: [],
  plan: {
    cause: 'terminating' as const,
    onFailure: 'CONTINUE' as const,
    since: startedAt,
    deadlines: { deadline, limit: Infinity },
    mustHurry: false,
  },
});

it('waits for requests in flight if its group has targets, but not past the deadline', async () => {
  const made = createNodeContext(startedAt, node()).context;
  const context = { ...made, targetHealth: { draining: () => Promise.resolve(['arn:tg']) } };
  const group = groupOf({ [instanceId]: 'Terminating:Wait' });
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  const wait = (targetGroupArns: readonly string[], deadline = startedAt + 60_000) =>
    awaitLoadBalancers(context, {
      ...planUntil(deadline),
      instance: { ...member, autoScalingGroupName: 'workers' },
      group: { ...group, targetGroupArns },
      settings: context.settings.defaults,
      ec2: undefined,
      waits: true,
      toWarmPool: false,
      keepsNode: false,
      node: node(),
      mark: markedAt(startedAt),
      podsLeft: [],
    });
  expect(await wait(['arn:tg'])).toMatchObject({ facts: { waitsFor: 'targets', targetsDraining: 1 } });
  expect(await wait([])).toEqual({});
  expect(await wait(['arn:tg'], startedAt)).toEqual({});
});
