import { assert, double, property } from 'fast-check';
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
  createdAt: launchedAt - 86_400_000,
  launchedAt: launchedAt - 3_600_000,
  silentSince: undefined,
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

describe('the finding that an annotation has', () => {
  const minutes = 60_000;
  const kindWith = (missingSince: number, change: Partial<NamesakeInput> = {}) =>
    judgeNamesake({ ...unknown, missingSince, ...change }).kind;

  it('neither holds nor hurries a removal if it is ahead of the clock, or older than the launch or the Node', () => {
    const sixMinutesAgo = launchedAt - 6 * minutes;
    expect(kindWith(sixMinutesAgo)).toBe('remove');
    expect(kindWith(Date.parse('2099-01-01T00:00:00Z'))).toBe('mark');
    expect(kindWith(0)).toBe('mark');
    expect(kindWith(sixMinutesAgo, { launchedAt: launchedAt - 5 * minutes })).toBe('mark');
    expect(kindWith(sixMinutesAgo, { createdAt: launchedAt - 5 * minutes })).toBe('mark');
    expect(kindWith(sixMinutesAgo, { createdAt: Number.NaN, launchedAt: undefined })).toBe('remove');
  });

  it('whatever it is, the Node is removed within ten minutes by passes each minute, and not before five', () => {
    assert(
      property(double(), (written) => {
        let missingSince = Number.isNaN(written) ? undefined : launchedAt + written;
        let marks = 0;
        for (let passed = 0; passed <= 10; passed += 1) {
          const now = launchedAt + passed * minutes;
          const kind = kindWith(missingSince ?? Number.NaN, { launchedAt, now });
          if (kind === 'remove') return passed >= 5;
          if (kind === 'mark') {
            missingSince = now;
            marks += 1;
          }
          if (marks > 1) return false;
        }
        return false;
      }),
    );
  });
});

describe('a Node without a providerID under the name of a joining instance', () => {
  const old: NamesakeInput = { ...unknown, ownerId: undefined, silentSince: launchedAt - 7_200_000 };

  it('is marked if it is older than the launch and its kubelet is silent, and removed minutes later', () => {
    expect(judgeNamesake(old)).toEqual({
      kind: 'mark',
      reason:
        'the node of its name is older than the launch and has no providerID, and its kubelet is silent',
    });
    expect(judgeNamesake({ ...old, missingSince: launchedAt - 299_000 }).kind).toBe('keep');
    expect(judgeNamesake({ ...old, missingSince: launchedAt - 300_000 }).kind).toBe('remove');
  });

  it.each<[string, Partial<NamesakeInput>]>([
    ['it is younger than the launch', { createdAt: launchedAt - 3_599_000 }],
    ['it is as old as the launch, as far as clocks agree', { createdAt: launchedAt - 3_600_000 - 59_000 }],
    ['its age cannot be read', { createdAt: Number.NaN }],
    ['EC2 does not know the launch yet', { launchedAt: undefined }],
    ['its kubelet reports', { silentSince: undefined }],
  ])('is kept if %s, whatever the annotation says', (_, change) => {
    for (const missingSince of [undefined, launchedAt - 300_000])
      expect(judgeNamesake({ ...old, missingSince, ...change }).kind).toBe('keep');
  });

  it('is marked again if its kubelet has reported since the first finding', () => {
    const missingSince = launchedAt - 300_000;
    expect(judgeNamesake({ ...old, missingSince, silentSince: missingSince + 1000 }).kind).toBe('mark');
  });
});

describe('a pass over an instance whose name another Node has', () => {
  const passWith = async (
    old: Partial<Ec2Instance> | undefined,
    cluster: Partial<JoiningContext['cluster']> = {},
    annotations: Readonly<Record<string, string>> = {},
    now = launchedAt,
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
        clock: { now: () => now },
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
    const now = launchedAt + 600_000;
    const annotations = { [missingAnnotation]: new Date(now - 300_000).toISOString() };
    const { calls } = await passWith(undefined, {}, annotations, now);
    expect(calls.at(-1)).toBe(`DELETE ${privateDnsName} uid-${oldId}`);
  });
});
