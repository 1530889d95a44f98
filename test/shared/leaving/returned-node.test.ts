import { describe, expect, it } from 'vitest';
import { cordonPatch } from '../../../shared/draining/cordon.ts';
import type { LeavingSubject } from '../../../shared/leaving/context.ts';
import { uncordonReturnedNode } from '../../../shared/leaving/returned-node.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const inState = (lifecycleState: string) => ({
  instanceId,
  lifecycleState,
  autoScalingGroupName: 'workers',
  availabilityZone: 'eu-west-1a',
  healthy: true,
});
const subject = (parts: Partial<LeavingSubject['notices'][number]>): LeavingSubject => ({
  instanceId,
  notices: [
    { cause: 'terminating', instanceId, noticedAt: '2026-11-21T07:00:00.000Z', nodeName: 'node-1', ...parts },
  ],
});
const replaced = subject({ action: 'ReplaceRootVolume' });

async function markedNode({ ready = 'True', bootID = 'first', bootBefore = 'first' } = {}) {
  const conditions = [{ type: 'Ready', status: ready }];
  const booted = { ...node(), status: { conditions, nodeInfo: { bootID } } } as ReturnType<typeof node>;
  const made = createNodeContext(startedAt, booted);
  const patch = cordonPatch(booted, markedAt(startedAt, { bootBefore }));
  if (patch) await made.context.cluster.patchNode('node-1', patch);
  return { ...made, isMarked: () => readLeavingMark(made.node()?.metadata?.annotations) !== undefined };
}

describe('the Node of an instance that is back with a new root volume', () => {
  it('is uncordoned when it is Ready after another boot', async () => {
    const { context, isMarked, node: current } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, replaced, inState('InService'))).toMatchObject({
      status: 'done',
    });
    expect(isMarked()).toBe(false);
    expect(current()?.spec?.unschedulable ?? undefined).toBeUndefined();
  });

  it.each([
    ['is not Ready', { bootID: 'second', ready: 'Unknown' }],
    ['is Ready as before the reboot', { bootID: 'first' }],
  ])('stays cordoned while it %s', async (_, parts) => {
    const { context, isMarked } = await markedNode(parts);
    expect(await uncordonReturnedNode(context, replaced, inState('InService'))).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('is not Ready since'),
    });
    expect(isMarked()).toBe(true);
  });

  it('is read anew: what is remembered is the Node as it was before the reboot', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    context.memory.remember(instanceId, { node: node(), hasTwins: false });
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('stays cordoned while a launching hook holds its instance', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, replaced, inState('Pending:Wait'))).toMatchObject({
      status: 'again',
    });
    expect(isMarked()).toBe(true);
  });

  it('is uncordoned five minutes after its last renewal although no other boot was seen', async () => {
    const { context, isMarked, pass } = await markedNode();
    pass(300);
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('needs no boot where the Node did not say it', async () => {
    const { context, isMarked } = await markedNode({ bootID: '', bootBefore: '' });
    await uncordonReturnedNode(context, replaced, inState('InService'));
    expect(isMarked()).toBe(false);
  });

  it('is not looked for where the message is about a termination', async () => {
    const { context, isMarked } = await markedNode({ bootID: 'second' });
    expect(await uncordonReturnedNode(context, subject({}), inState('InService'))).toBeUndefined();
    expect(isMarked()).toBe(true);
  });
});
