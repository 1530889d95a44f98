import { expect, it } from 'vitest';
import { release } from '../../../../shared/leaving/steps/complete-hook.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { instanceId, node } from '../../../support/pods.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

function leaving(context: ReturnType<typeof createNodeContext>['context']) {
  const group = groupOf({ [instanceId]: 'Terminating:Wait' });
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  return {
    instance: { ...member, autoScalingGroupName: 'workers' },
    group,
    settings: context.settings.defaults,
    ec2: undefined,
    waits: true,
    toWarmPool: false,
    keepsNode: false,
    hooks: [],
    plan: {
      cause: 'terminating' as const,
      onFailure: 'CONTINUE' as const,
      since: startedAt,
      deadlines: { deadline: startedAt, limit: Infinity },
      mustHurry: false,
    },
    node: node(),
  };
}

it('reports a Node as deleted, or as gone, and neither as drained nor with a drain time, when the drain did not end', async () => {
  const { context } = createNodeContext(startedAt, node());
  const name = node().metadata?.name;
  const facts = { autoScalingGroupName: 'workers', node: name };
  expect(await release(context, leaving(context))).toEqual({
    status: 'done',
    reason: `node ${name} is deleted; it waits on no hook of ours`,
    facts,
  });
  expect(await release(context, leaving(context))).toMatchObject({
    reason: `node ${name} was gone; it waits on no hook of ours`,
    facts,
  });
});
