import { describe, expect, it } from 'vitest';
import type { JoiningContext } from '../../../shared/joining/context.ts';
import { decideGiveUp } from '../../../shared/joining/give-up.ts';
import { joiningPass } from '../../../shared/joining/pass.ts';
import { createJoiningWorld, joinedNode, joiningId, launchingNotice } from '../../support/joining-context.ts';

describe('an instance that has not joined in time', () => {
  const input = { onFailure: 'ABANDON', leavesOneAtATime: false, abandonedInARow: 0 } as const;
  it.each([
    ['is abandoned where its group wants it', {}, 'abandon'],
    ['is abandoned after two others in a row', { abandonedInARow: 2 }, 'abandon'],
    ['is held after three others in a row', { abandonedInARow: 3 }, 'hold'],
    ['is held where the activities cannot be read', { abandonedInARow: undefined }, 'hold'],
    ['is held where its group says nothing else', { onFailure: 'hold' }, 'hold'],
    ['is held in a control plane and in etcd', { leavesOneAtATime: true }, 'hold'],
  ] as const)('%s', (_, changes, kind) => {
    expect(decideGiveUp({ ...input, ...changes })).toMatchObject({ kind });
  });

  it('is backed off only by launches in a row', () => {
    expect(decideGiveUp({ ...input, abandonedInARow: 3 })).toMatchObject({ isBackedOff: true });
    expect(decideGiveUp({ ...input, onFailure: 'hold', abandonedInARow: 3 })).toMatchObject({
      isBackedOff: false,
    });
    expect(decideGiveUp({ ...input, abandonedInARow: undefined })).toMatchObject({ isBackedOff: false });
  });
});

const abandoning = { 'drover.dev/on-join-failure': 'ABANDON' };

function createOverdueWorld(tags: Readonly<Record<string, string>> = abandoning) {
  const world = createJoiningWorld();
  const context: JoiningContext = {
    ...world.context,
    autoScaling: { ...world.context.autoScaling, describeGroup: async () => world.group(tags) },
  };
  world.elapse(721);
  const pass = (changes: Partial<JoiningContext> = {}) =>
    joiningPass({ ...context, ...changes }, { instanceId: joiningId, notices: [launchingNotice] });
  return { ...world, context, pass };
}

describe('a pass past the deadline', () => {
  it('reports why the launch failed, and then abandons it: a pass that is killed in between loses nothing', async () => {
    const { pass, calls } = createOverdueWorld();
    expect(await pass()).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('its launch is abandoned'),
      facts: { joinsAbandoned: 1 },
    });
    expect(calls).toEqual([
      'why: EC2 calls the instance running; according to its console, cloud-init has finished; it has no node yet',
      'ABANDON token',
    ]);
  });

  it('counts no launch as abandoned if something else completed the hook first', async () => {
    const { pass, context } = createOverdueWorld();
    const complete = async () => 'not-active' as const;
    const outcome = await pass({ autoScaling: { ...context.autoScaling, complete } });
    expect(outcome).toEqual({ status: 'done', reason: 'it has no node yet: its hook waits no longer' });
  });

  it('still completes the hook of a Node that is Ready, however late it is', async () => {
    const { pass, calls, addNode } = createOverdueWorld();
    addNode(joinedNode());
    await pass();
    expect(calls).toEqual(['CONTINUE token']);
  });

  it('abandons nothing at the deadline itself', async () => {
    const { pass, calls, elapse } = createOverdueWorld();
    elapse(-1);
    expect(await pass()).toMatchObject({ status: 'again' });
    expect(calls).toEqual([]);
  });

  it('abandons nothing while the cluster cannot be read, requests cannot be decided, or labels cannot be set', async () => {
    const { pass, calls, context } = createOverdueWorld();
    const getNode = () => Promise.reject(new Error('no answer'));
    await expect(pass({ cluster: { ...context.cluster, getNode } })).rejects.toThrow('no answer');
    const requests = { decideRequestsOf: () => Promise.reject(new Error('no answer')) };
    expect(await pass({ requests })).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('held until Drover can do its own part'),
    });
    expect(calls).not.toContain('ABANDON token');
    const labelled = createOverdueWorld({
      ...abandoning,
      'drover.dev/apply-node-template': 'true',
      'k8s.io/cluster-autoscaler/node-template/label/tier': 'web',
    });
    labelled.addNode(joinedNode());
    const patchNode = () => Promise.reject(new Error('denied'));
    const denied = { ...labelled.context.cluster, patchNode };
    expect(await labelled.pass({ cluster: denied })).toMatchObject({ status: 'again' });
    expect(labelled.calls).not.toContain('ABANDON token');
  });

  it('does not abandon an instance whose approval the API server refuses', async () => {
    const { pass, calls } = createOverdueWorld();
    const decided = (outcome: 'failed' | 'written') => ({
      decideRequestsOf: async () => ({
        decided: [
          { request: { name: 'csr-1' }, verdict: { kind: 'approve', reason: 'it is' }, outcome },
        ] as never,
        settled: [],
        others: [],
      }),
    });
    expect(await pass({ requests: decided('failed') })).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('held until Drover can do its own part'),
    });
    expect(calls).not.toContain('ABANDON token');
    await pass({ requests: decided('written') });
    expect(calls).toContain('ABANDON token');
  });

  it('holds an instance after three abandoned launches in a row, with a metric for the alarm', async () => {
    const { pass, calls } = createOverdueWorld();
    expect(await pass({ countAbandonedLaunches: async () => 3 })).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('3 launches of its group in a row were abandoned'),
      facts: { joinsBackedOff: 1 },
    });
    expect(calls).not.toContain('ABANDON token');
  });

  it('holds if the activities cannot be read, but abandons if only the console cannot be read', async () => {
    const failing = () => Promise.reject(new Error('denied'));
    const held = createOverdueWorld();
    expect(await held.pass({ countAbandonedLaunches: failing })).toMatchObject({ status: 'again' });
    expect(held.calls).not.toContain('ABANDON token');
    const abandoned = createOverdueWorld();
    expect(await abandoned.pass({ readConsole: failing })).toMatchObject({ status: 'done' });
    expect(abandoned.calls.at(-2)).toContain('its console could not be read');
    expect(abandoned.calls.at(-1)).toBe('ABANDON token');
  });

  it('abandons a terminated instance at once, even without the tag, but not one that is shutting down', async () => {
    const { context, calls } = createJoiningWorld();
    const inState = (state: 'terminated' | 'shutting-down') => {
      const describeInstance = async () => ({ instanceId: joiningId, state, tags: {} });
      return joiningPass(
        { ...context, ec2: { describeInstance } },
        { instanceId: joiningId, notices: [launchingNotice] },
      );
    };
    expect(await inState('shutting-down')).toMatchObject({ status: 'again' });
    expect(await inState('terminated')).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('EC2 has terminated it'),
    });
    expect(calls.filter((call) => call.includes('token'))).toEqual(['ABANDON token']);
  });

  it('holds without the tag, and reports why once in five minutes', async () => {
    const { pass, calls, elapse } = createOverdueWorld({});
    const said = () => calls.filter((call) => call.startsWith('why:')).length;
    expect(await pass()).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('as configured for its group'),
    });
    elapse(299);
    await pass();
    expect(said()).toBe(1);
    elapse(1);
    await pass();
    expect(said()).toBe(2);
  });
});
