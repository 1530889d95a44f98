import { expect, it } from 'vitest';
import { cordonPatch } from '../../../../shared/draining/cordon.ts';
import { confirmLeaving } from '../../../../shared/leaving/steps/confirm-leaving.ts';
import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { markedAt } from '../../../support/leave-state.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { instanceId, node } from '../../../support/pods.ts';
import { groupOf } from '../../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

it('a Node that has not joined again with its new root volume keeps its cordon, however old its mark is', async () => {
  const conditions = [{ type: 'Ready', status: 'Unknown' }];
  const away = { ...node(), status: { conditions } } as ReturnType<typeof node>;
  const world = createNodeContext(startedAt, away);
  const mark = markedAt(startedAt, { bootBefore: 'first', until: new Date(startedAt).toISOString() });
  const patch = cordonPatch(away, mark);
  if (patch) await world.context.cluster.patchNode('node-1', patch);
  world.pass(3600);
  const [member] = groupOf({ [instanceId]: 'InService' }).instances;
  if (!member) throw new Error('the group has no member');
  const noticedAt = new Date(startedAt).toISOString();
  const outcome = await confirmLeaving(world.context, {
    subject: { instanceId, notices: [{ cause: 'swept', instanceId, noticedAt, nodeName: 'node-1' }] },
    observation: {
      situation: { kind: 'stays', reason: 'it is InService' },
      instance: { ...member, autoScalingGroupName: 'workers' },
      ec2: undefined,
      managedGroup: undefined,
      settings: world.context.settings.defaults,
      tagProblems: [],
    },
    notes: [],
  });
  expect(outcome).toMatchObject({ status: 'again' });
  expect(readLeavingMark(world.node()?.metadata?.annotations)).toBeDefined();
});
