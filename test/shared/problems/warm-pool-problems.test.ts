import { assert, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import type { WarmPoolWait } from '../../../shared/groups/warm-pool.ts';
import { poolProblems } from '../../../shared/problems/warm-pool-problems.ts';

const at = Date.parse('2026-11-21T08:00:00Z');
const minutesAgo = (minutes: number): number => at - minutes * 60_000;

const instanceId = 'i-0123456789abcdef0';
const wait: WarmPoolWait = {
  instanceId,
  autoScalingGroupName: 'workers',
  lifecycleState: 'Warmed:Pending:Wait',
  since: minutesAgo(30),
  isReturn: false,
};

const hookOf = (lifecycleHookName: string, transition: LifecycleHook['transition']): LifecycleHook => ({
  lifecycleHookName,
  transition,
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'ABANDON',
});
const joining = hookOf('drover-node-joining', 'launching');
const leavingHook = hookOf('drover-node-leaving', 'terminating');

const problemsOf = (
  changes: Partial<WarmPoolWait> = {},
  {
    tags = {},
    hooks = [joining, leavingHook],
    leaving = [],
  }: {
    readonly tags?: Readonly<Record<string, string>>;
    readonly hooks?: readonly LifecycleHook[];
    readonly leaving?: readonly { readonly instanceId: string }[];
  } = {},
) =>
  poolProblems(
    {
      leavingHookName: 'drover-node-leaving',
      joiningHookName: 'drover-node-joining',
      etcdLaunchHookName: 'drover-etcd-launch',
      managed: [{ autoScalingGroupName: 'workers', tags }],
      hooks: new Map([['workers', hooks]]),
      warmWaits: [{ ...wait, ...changes }],
    },
    { leaving, at },
  );

describe('an instance that waits in a warm pool', () => {
  it('is named once user data has had ten minutes, with its start and both remedies', () => {
    expect(problemsOf({ since: minutesAgo(10) })).toEqual([]);
    expect(problemsOf()).toEqual([
      {
        kind: 'warm-wait',
        subject: instanceId,
        since: '2026-11-21T07:30:00.000Z',
        message:
          'hook drover-node-joining holds it in Warmed:Pending:Wait since 2026-11-21T07:30:00Z, on its way into the warm pool of workers: Drover does not complete the hook, because that would stop the instance while its user data may still run. Let the user data complete drover-node-joining as its last line, as drover user-data does, or complete it now if the user data has ended',
        command: `aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE --lifecycle-hook-name drover-node-joining --auto-scaling-group-name workers --instance-id ${instanceId}`,
      },
    ]);
  });

  it('is not named before Auto Scaling lists its activity', () => {
    expect(problemsOf({ since: undefined })).toEqual([]);
  });

  it('has the time of its group’s tag before it is named, and a broken tag gives it none', () => {
    const tags = { 'drover.dev/warm-pool-wait': '25m' };
    expect(problemsOf({}, { tags })).toEqual([]);
    expect(problemsOf({ since: minutesAgo(36) }, { tags })[0]?.message).toContain(
      'its tag drover.dev/warm-pool-wait gives it 25m: check the function node-joining',
    );
    expect(problemsOf({}, { tags: { 'drover.dev/warm-pool-wait': 'soon' } })).toHaveLength(1);
  });

  it('is named with the hook of etcd if only that one holds it, and not if no hook of Drover does', () => {
    const etcd = hookOf('drover-etcd-launch', 'launching');
    expect(problemsOf({}, { hooks: [etcd] })[0]?.command).toContain(
      '--lifecycle-hook-name drover-etcd-launch ',
    );
    expect(problemsOf({}, { hooks: [hookOf('theirs', 'launching'), leavingHook] })).toEqual([]);
    expect(problemsOf({}, { hooks: [hookOf('drover-node-joining', 'terminating')] })).toEqual([]);
  });

  it.each([
    ['returns to', { isReturn: true }],
    ['leaves', { lifecycleState: 'Warmed:Terminating:Wait', isReturn: true }],
  ])('is named if it %s the pool and no Node is marked as leaving for it', (_, changes) => {
    const [problem] = problemsOf(changes);
    expect(problem?.message).toMatch(
      /no Node is marked as leaving for it: it (?:returns to|leaves) the warm pool/,
    );
    // To complete the hook would cut a drain that no one has seen yet.
    expect(problem?.command).toBe(`drover events --instance ${instanceId} --since 1h`);
    expect(problemsOf(changes, { leaving: [{ instanceId }] })).toEqual([]);
  });

  it('never has a command that completes a terminating hook, whatever the group is', () => {
    const hooks = constantFrom(
      joining,
      leavingHook,
      hookOf('drover-etcd-launch', 'launching'),
      hookOf('x', 'terminating'),
    );
    assert(
      property(
        record({
          lifecycleState: constantFrom('Warmed:Pending:Wait', 'Warmed:Terminating:Wait'),
          since: option(integer({ min: 0, max: at }), { nil: undefined }),
          isReturn: constantFrom(true, false),
        }),
        constantFrom([], [joining], [leavingHook], [joining, leavingHook]),
        hooks,
        (changes, some, one) => {
          const found = problemsOf(changes, { hooks: [...some, one] });
          expect(found.length).toBeLessThanOrEqual(1);
          for (const { command = '' } of found)
            expect(command).not.toMatch(/hook-name (?:drover-node-leaving|x) /);
        },
      ),
    );
  });
});
