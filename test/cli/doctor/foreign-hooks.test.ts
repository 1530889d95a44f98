import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { judgeProblems } from '../../../cli/doctor/checks/problems.ts';
import { type ForeignHooksContext, readForeignHooks } from '../../../cli/doctor/foreign-hooks.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { finished } from '../../support/item-faults.ts';

const groupOf = (autoScalingGroupName: string, tags = {}): AutoScalingGroup => ({
  autoScalingGroupName,
  tags,
  minSize: 0,
  maxSize: 1,
  desiredCapacity: 1,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
});

const hook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'CONTINUE',
} as const;

const clock = createVirtualClock();

const contextOf = (parts: Partial<ForeignHooksContext> = {}): ForeignHooksContext => ({
  readPage: () =>
    Promise.resolve({ groups: ['a', 'b', 'c'].map((name) => groupOf(name)), nextToken: undefined }),
  describeHooks: () => Promise.resolve([hook]),
  readNodeInstanceIds: () => Promise.resolve(new Set<string>()),
  names: {
    clusterName: 'prod',
    leavingHookName: 'drover-node-leaving',
    joiningHookName: 'drover-node-joining',
    etcdHookName: 'drover-etcd',
    etcdLaunchHookName: 'drover-etcd-launch',
  },
  clock,
  ...parts,
});

const find = async (parts: Partial<ForeignHooksContext> = {}, known = new Set<string>()) => {
  const foreign = await readForeignHooks(contextOf(parts), known);
  const subjects = foreign.problems.map(({ subject }) => subject);
  const findings = judgeProblems({
    clusterName: 'prod',
    problems: [],
    missing: [],
    unmanaged: known,
    foreign,
  });
  return { foreign, subjects, findings };
};

const throttled = () => Promise.reject(new Error('Rate exceeded'));

describe('hooks of Drover on groups without the tag of a cluster', () => {
  it('are found if the hooks of another group cannot be read, which is said', async () => {
    const { subjects, findings } = await find({
      describeHooks: (name) => (name === 'b' ? throttled() : Promise.resolve([hook])),
    });
    expect(subjects).toEqual(['a', 'c']);
    expect(findings.filter(({ verdict }) => verdict === 'unknown')).toMatchObject([
      { message: expect.stringContaining('the hooks of group b: Rate exceeded') },
    ]);
  });

  it('are found if another group gives no answer', async () => {
    const found = find({
      describeHooks: (name) => (name === 'a' ? new Promise(() => {}) : Promise.resolve([hook])),
    });
    expect((await finished(clock, found)).subjects).toEqual(['b', 'c']);
  });

  it('are found on the pages before one that cannot be read', async () => {
    const { subjects, findings } = await find({
      readPage: (token) =>
        token ? throttled() : Promise.resolve({ groups: [groupOf('a')], nextToken: 'second' }),
    });
    expect(subjects).toEqual(['a']);
    expect(findings.find(({ verdict }) => verdict === 'unknown')?.message).toContain(
      'the list of all groups',
    );
  });

  it('say if it is unknown whose they are, because the Nodes could not be read', async () => {
    const { foreign } = await find({ readNodeInstanceIds: throttled });
    expect(foreign.problems[0]?.message).toContain('the Nodes of cluster prod could not be read');
    expect(foreign.problems[0]?.command).toBeUndefined();
  });

  it('are looked for on fifty groups, neither tagged nor known, and the others are counted', async () => {
    const groups = [
      groupOf('known'),
      groupOf('tagged', { 'kubernetes.io/cluster/staging': 'owned' }),
      ...Array.from({ length: 53 }, (_, index) => groupOf(`group-${index}`)),
    ];
    const { subjects, findings } = await find(
      { readPage: () => Promise.resolve({ groups, nextToken: undefined }) },
      new Set(['known']),
    );
    expect(subjects).toHaveLength(50);
    expect(subjects).toEqual(expect.not.arrayContaining(['known', 'tagged']));
    expect(findings.find(({ verdict }) => verdict === 'advice')?.message).toMatch(/^3 more groups/);
  });
});
