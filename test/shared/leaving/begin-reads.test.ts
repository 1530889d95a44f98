import { describe, expect, it } from 'vitest';
import { beginReads } from '../../../shared/leaving/confirm-leaving.ts';
import type { LeavingSubject } from '../../../shared/leaving/context.ts';
import { searchNode } from '../../../shared/leaving/find-node.ts';
import { planTheLeave } from '../../../shared/leaving/pass.ts';
import { leaveState } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const hook = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' };
const notice = { cause: 'terminating', instanceId, noticedAt: '2026-11-21T07:00:00Z', hook } as const;

/** A context that records which reads begin. A read fails if `failing` has it. */
function createWorld(failing: readonly string[] = []) {
  const { context } = createNodeContext(startedAt, node());
  const calls: string[] = [];
  const call = async <Value>(what: string, value: Value): Promise<Value> => {
    calls.push(what);
    if (failing.includes(what)) throw new Error(`${what} failed`);
    return value;
  };
  return {
    calls,
    context: {
      ...context,
      autoScaling: { ...context.autoScaling, describeHooks: (name: string) => call(`hooks of ${name}`, []) },
      ec2: { describeInstance: () => call('ec2', undefined) },
      cluster: { ...context.cluster, getMarkedNode: () => call('marked node', undefined) },
    },
  };
}

const begin = async (world: ReturnType<typeof createWorld>, subject: Partial<LeavingSubject> = {}) =>
  await beginReads(world.context, { subject: { instanceId, notices: [notice], ...subject }, notes: [] });

describe('the first reads of a pass', () => {
  it.each<[string, Partial<LeavingSubject>, readonly string[]]>([
    ['the hooks and EC2 in a first pass', {}, ['hooks of workers', 'ec2']],
    ['the marked Node in a later pass', { redelivered: true }, ['hooks of workers', 'marked node']],
    [
      'EC2 too if an earlier pass has deleted the Node',
      { redelivered: true, notices: [{ ...notice, nodeDeleted: true }] },
      ['hooks of workers', 'ec2', 'marked node'],
    ],
    [
      'not EC2 if a notice names the Node',
      { notices: [{ cause: 'swept', instanceId, noticedAt: notice.noticedAt, nodeName: 'one' }] },
      [],
    ],
  ])('are %s', async (_, subject, expected) => {
    const world = createWorld();
    await begin(world, subject);
    expect(world.calls).toEqual(expected);
  });

  it('are not those whose answer is remembered', async () => {
    const world = createWorld();
    world.context.memory.remember(instanceId, { node: node() });
    await begin(world, { redelivered: true });
    expect(world.calls).toEqual(['hooks of workers']);
  });

  it('fail the step that needs them, with their error and without a second call', async () => {
    const world = createWorld(['hooks of workers', 'ec2']);
    const { subject } = await begin(world);
    // A promise that nothing handles would fail the test by now.
    await new Promise(setImmediate);
    const state = {
      ...leaveState({ noticedAt: startedAt, settings: world.context.settings.defaults }),
      subject,
      notes: [],
    };
    await expect(planTheLeave(world.context, state)).rejects.toThrow('hooks of workers failed');
    await expect(searchNode(world.context, subject)).rejects.toThrow('ec2 failed');
    expect(world.calls).toEqual(['hooks of workers', 'ec2']);
  });
});
