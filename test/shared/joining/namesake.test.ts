import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { JoiningContext } from '../../../shared/joining/context.ts';
import { judgeNamesake, missingAnnotation, type NamesakeInput } from '../../../shared/joining/namesake.ts';
import { joiningPass } from '../../../shared/joining/pass.ts';
import {
  createJoiningWorld,
  joinedNode,
  joiningId,
  launchedAt,
  launchingNotice,
  privateDnsName,
} from '../../support/joining-context.ts';

const oldId = 'i-0f9e8d7c6b5a41302';
const unknown: NamesakeInput = {
  ownerId: oldId,
  ec2: undefined,
  isInGroup: false,
  missingSince: undefined,
  now: launchedAt,
};

describe('a Node of another instance under the name of a joining one', () => {
  it.each(['pending', 'running', 'stopping', 'stopped', 'shutting-down'] as const)(
    'stays while its instance is %s',
    (state) => {
      expect(judgeNamesake({ ...unknown, ec2: { state } })).toEqual({
        kind: 'keep',
        reason: `the node of its name belongs to ${oldId}, which is ${state}`,
      });
    },
  );

  it('is removed once its instance is terminated', () => {
    expect(judgeNamesake({ ...unknown, ec2: { state: 'terminated' } }).kind).toBe('remove');
  });

  it('is kept if Auto Scaling lists its instance, or if it names no instance', () => {
    expect(judgeNamesake({ ...unknown, isInGroup: true }).kind).toBe('keep');
    expect(judgeNamesake({ ...unknown, ownerId: undefined, ec2: { state: 'terminated' } }).kind).toBe('keep');
  });

  it('is removed once its instance has been found missing twice, five minutes apart', () => {
    const kindAfter = (seconds: number) =>
      judgeNamesake({ ...unknown, missingSince: launchedAt - seconds * 1000 }).kind;
    expect(judgeNamesake(unknown).kind).toBe('mark');
    expect(judgeNamesake({ ...unknown, missingSince: Number.NaN }).kind).toBe('mark');
    expect([299, 300, 900, 901].map(kindAfter)).toEqual(['keep', 'remove', 'remove', 'mark']);
  });
});

describe('a pass over an instance whose name another Node has', () => {
  const passWith = async (
    old: Partial<Ec2Instance> | undefined,
    cluster: Partial<JoiningContext['cluster']> = {},
    annotations: Readonly<Record<string, string>> = {},
  ) => {
    const { context, calls, addNode } = createJoiningWorld();
    const node = joinedNode({ instanceId: oldId });
    addNode({ ...node, metadata: { ...node.metadata, annotations } });
    const own = await context.ec2.describeInstance(joiningId);
    if (!own) throw new Error('EC2 knows the instance');
    const describeInstance: JoiningContext['ec2']['describeInstance'] = async (id) =>
      id === joiningId ? own : old && { ...own, instanceId: id, ...old };
    const { autoScaling } = context;
    const outcome = await joiningPass(
      {
        ...context,
        cluster: { ...context.cluster, ...cluster },
        ec2: { describeInstance },
        autoScaling: {
          ...autoScaling,
          // The kept list of groups still shows the other instance.
          describeInstance: async (id, notBefore) =>
            id === joiningId || notBefore === undefined ? await autoScaling.describeInstance(id) : undefined,
        },
      },
      { instanceId: joiningId, notices: [launchingNotice] },
    );
    return { outcome, calls };
  };

  it('removes the Node of a terminated instance, by its UID, and completes nothing for it', async () => {
    const { outcome, calls } = await passWith({ state: 'terminated' });
    expect(calls).toEqual([`DELETE ${privateDnsName} uid-${oldId}`]);
    expect(outcome).toMatchObject({
      status: 'again',
      reason: expect.stringContaining('that node is deleted'),
    });
  });

  it('keeps the Node of a stopped instance', async () => {
    const { outcome, calls } = await passWith({ state: 'stopped' });
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({
      reason: `it has no node yet; the node of its name belongs to ${oldId}, which is stopped`,
    });
  });

  it('marks the Node of an instance that nothing knows, although a kept list of groups still shows it', async () => {
    const { calls } = await passWith(undefined);
    expect(calls.at(-1)).toContain('drover.dev/instance-missing-since');
    // The API server refuses a patch with another uid, so the Node of a newer instance with this name is not marked.
    expect(calls.at(-1)).toContain(`"uid":"uid-${oldId}"`);
  });

  it('reports that it may not remove the Node, and waits', async () => {
    const deleteNode = () =>
      Promise.reject(Object.assign(new Error('nodes is forbidden'), { statusCode: 403 }));
    const { outcome } = await passWith({ state: 'terminated' }, { deleteNode });
    expect(outcome).toMatchObject({
      status: 'again',
      reason: expect.stringMatching(/is terminated, and cannot be changed: .*nodes is forbidden/),
    });
  });

  it('fails if the API server does not answer the removal, so that the message returns', async () => {
    const deleteNode = () => Promise.reject(new Error('no answer'));
    await expect(passWith({ state: 'terminated' }, { deleteNode })).rejects.toThrow('no answer');
  });

  it('reads from the Node since when its instance is missing', async () => {
    const now = createJoiningWorld().context.clock.now();
    const annotations = { [missingAnnotation]: new Date(now - 300_000).toISOString() };
    const { calls } = await passWith(undefined, {}, annotations);
    expect(calls.at(-1)).toBe(`DELETE ${privateDnsName} uid-${oldId}`);
  });
});
