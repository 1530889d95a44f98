import { assert, boolean, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { type LeavePlanInput, planLeave } from '../../../shared/leaving/leave-plan.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 21, 7, 0, seconds)).toISOString();
const since = Date.parse(at(0));

const notice = (parts: Partial<LeavingNotice> = {}): LeavingNotice => ({
  cause: 'terminating',
  instanceId,
  noticedAt: at(0),
  ...parts,
});
const told = (lifecycleActionToken: string, seconds: number, lifecycleHookName = 'drover-node-leaving') =>
  notice({
    noticedAt: at(seconds),
    hook: { autoScalingGroupName: 'workers', lifecycleHookName, lifecycleActionToken },
  });
const spot = notice({ cause: 'spot-interruption', noticedAt: at(30), deadline: at(150) });
const retirement = notice({ cause: 'scheduled-change', deadline: at(86_400) });

const hook = (parts: Partial<LifecycleHook> = {}): LifecycleHook => ({
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 60,
  globalTimeoutSeconds: 6000,
  defaultResult: 'CONTINUE',
  ...parts,
});

const settings: LeavePlanInput['settings'] = {
  drainTimeoutSeconds: 900,
  onFailure: 'CONTINUE',
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  maxLeaving: 10,
  drainOnRebalance: false,
  awaitReplacement: false,
  annotationTimeoutSeconds: 86_400,
};

const plan = (notices: readonly LeavingNotice[], parts: Partial<LeavePlanInput> = {}) =>
  planLeave({
    now: Date.parse(at(40)),
    subject: { instanceId, notices },
    instance: {
      instanceId,
      autoScalingGroupName: 'workers',
      lifecycleState: 'Terminating:Wait',
      availabilityZone: 'a',
      healthy: true,
    },
    settings,
    waits: true,
    hooks: [hook()],
    leavingHookName: 'drover-node-leaving',
    etcdHookName: 'drover-etcd-leaving',
    ...parts,
  });

describe('the hook of a leave', () => {
  it('is ours on termination, and only while the instance waits', () => {
    const others = [hook({ transition: 'launching' }), hook({ lifecycleHookName: 'theirs' })];
    expect(
      plan([notice()], { hooks: [...others, hook({ globalTimeoutSeconds: 7 })] }).hook?.globalTimeoutSeconds,
    ).toBe(7);
    expect(plan([notice()], { hooks: others })).not.toHaveProperty('action');
    expect(plan([notice()], { waits: false })).not.toHaveProperty('hook');
  });

  it('is completed with the latest token of that hook, and with the instance id if no token is known', () => {
    const { action } = plan([told('old', 1), told('new', 9), told('theirs', 20, 'theirs')]);
    expect(action).toEqual({
      autoScalingGroupName: 'workers',
      lifecycleHookName: 'drover-node-leaving',
      instanceId,
      lifecycleActionToken: 'new',
    });
    expect(plan([notice(), told('theirs', 20, 'theirs')]).action).not.toHaveProperty('lifecycleActionToken');
  });

  it('is continued after a failed drain if the group has a terminating hook of etcd too, whatever its setting', () => {
    const etcd = hook({ lifecycleHookName: 'drover-etcd-leaving' });
    const abandoning = { settings: { ...settings, onFailure: 'ABANDON' as const } };
    expect(plan([notice()], { hooks: [hook(), etcd], ...abandoning }).onFailure).toBe('CONTINUE');
    const launching = [hook(), { ...etcd, transition: 'launching' as const }];
    expect(plan([notice()], { hooks: launching, ...abandoning }).onFailure).toBe('ABANDON');
  });
});

const rebalance = notice({ cause: 'rebalance' });
const swept = (seconds: number) => notice({ cause: 'swept', noticedAt: at(seconds) });
const heeding = { settings: { ...settings, drainOnRebalance: true } };
const markedAt = (seconds: number, heartbeatTimeoutSeconds?: number): Pick<LeavePlanInput, 'mark'> => ({
  mark: { since: at(seconds), heartbeatTimeoutSeconds },
});

describe('the beginning of a leave', () => {
  it('is the mark on the Node, or now: the wait for a turn takes nothing of the drain timeout', () => {
    expect(plan([notice({ noticedAt: at(-3000) })])).toMatchObject({
      since: since + 40_000,
      deadlines: { deadline: since + 940_000 },
    });
    expect(plan([notice({ noticedAt: at(-3000) })], markedAt(-60))).toMatchObject({
      since: since - 60_000,
      deadlines: { deadline: since + 840_000 },
    });
  });
});

describe('the drain of a node that waits for its replacement', () => {
  const awaiting: Pick<LeavePlanInput, 'mark'> = { mark: { since: at(-3000), awaiting: 'replacement' } };
  const waitingFor = (seconds: number) => [notice({ noticedAt: at(-seconds) }), swept(-60)];

  it('has its whole timeout, however long the wait lasts', () => {
    const { since: begun, deadlines } = plan(waitingFor(3000), awaiting);
    expect(begun).toBe(since + 40_000);
    expect(deadlines.deadline).toBe(since + 40_000 + 900_000);
  });

  it('must begin when only its timeout is left before the limit of the hook, which counts from the first mark', () => {
    const lateAt = (seconds: number) =>
      plan(waitingFor(3000), { ...awaiting, now: Date.parse(at(seconds)) }).mustHurry;
    expect(lateAt(-3000 + 6000 - 901)).toBe(false);
    expect(lateAt(-3000 + 6000 - 900)).toBe(true);
    const begun = { mark: { since: at(2000), awaitedSince: at(-3000) } };
    const { deadlines } = plan(waitingFor(10), { ...begun, now: Date.parse(at(2010)) });
    expect(deadlines.limit).toBe(since - 3000_000 + 5_970_000);
    expect(deadlines.deadline).toBe(since + 2000_000 + 900_000);
  });
});

describe('the end of a leave', () => {
  it('is the earliest deadline of operator, hook and notice', () => {
    expect(plan([notice()], markedAt(0)).deadlines.deadline).toBe(since + 900_000);
    expect(plan([told('t', 0)], { hooks: [hook({ globalTimeoutSeconds: 600 })] }).deadlines.limit).toBe(
      since + 570_000,
    );
    expect(plan([retirement, spot]).deadlines.limit).toBe(since + 140_000);
    expect(plan([notice()], { waits: false }).deadlines.limit).toBe(Infinity);
  });

  it('counts the hook’s timeout from the start of the wait, however long the drain has lasted by then', () => {
    const waits = told('t', 600);
    const { deadlines } = plan([retirement, waits], markedAt(-60));
    expect(deadlines.limit).toBe(since + 600_000 + 5_970_000);
    expect(deadlines.deadline).toBe(since - 60_000 + 900_000);
  });

  it('counts from the latest terminate action, whatever the sweep has found since', () => {
    expect(plan([told('old', -9000), told('new', 0), swept(300)]).deadlines.limit).toBe(since + 5_970_000);
  });

  it('gives a node its full drain whatever time a terminate action without a token has', () => {
    assert(
      property(integer({ min: -10_000_000, max: 40 }), boolean(), (seconds, isMarked) => {
        const words = notice({ noticedAt: at(seconds) });
        const mark = isMarked ? markedAt(10) : {};
        const { since: begun, deadlines, mustHurry } = plan([words], mark);
        expect(begun).toBe(since + (isMarked ? 10_000 : 40_000));
        expect(deadlines).toEqual({ deadline: begun + 900_000, limit: begun + 5_970_000 });
        expect(mustHurry).toBe(false);
        // The action of Auto Scaling says when the wait began, and such words add nothing.
        expect(plan([words, told('true', 5)], mark).deadlines.limit).toBe(since + 5000 + 5_970_000);
      }),
    );
  });

  it('counts from the beginning of the leave if no terminate action says when the wait began', () => {
    expect(plan([swept(20)]).deadlines.limit).toBe(since + 20_000 + 5_970_000);
    expect(plan([swept(300)], markedAt(0)).deadlines.limit).toBe(since + 5_970_000);
  });
});

describe('the cause of a leave', () => {
  it('is that of the notice with the earliest deadline', () => {
    expect(plan([notice(), retirement, spot]).cause).toBe('spot-interruption');
    expect(plan([spot, notice(), retirement]).cause).toBe('spot-interruption');
  });

  it('without a deadline is termination if the instance waits, else the cause of the notice', () => {
    expect(plan([rebalance]).cause).toBe('terminating');
    expect(plan([rebalance], { waits: false, ...heeding }).cause).toBe('rebalance');
    expect(plan([], { waits: false, ...markedAt(0) }).cause).toBe('swept');
  });

  it('exempts an instance that EC2 takes from waiting for a turn', () => {
    expect(plan([spot]).mustHurry).toBe(true);
    expect(plan([notice(), notice({ cause: 'capacity-reservation', deadline: at(200) })]).mustHurry).toBe(
      true,
    );
    expect(plan([notice(), retirement]).mustHurry).toBe(false);
  });
});

describe('a warning of EC2', () => {
  const end = Date.parse(spot.deadline ?? '');

  it('sets the end and the hurry of a leave until two minutes after its time', () => {
    expect(plan([spot], { now: end + 120_000 })).toMatchObject({
      mustHurry: true,
      cause: 'spot-interruption',
      deadlines: { limit: end - 10_000 },
    });
  });

  it('that is repeated or redriven later makes the node leave without hurry', () => {
    expect(plan([spot], { now: end + 121_000, waits: false })).toMatchObject({
      mustHurry: false,
      deadlines: { limit: Infinity, deadline: end + 121_000 + 900_000 },
    });
  });

  it('of a scheduled change sets no end, neither before its time nor after', () => {
    for (const now of [-10, 10, 100_000].map(
      (seconds) => Date.parse(retirement.deadline ?? '') + seconds * 1000,
    ))
      expect(plan([retirement], { now, waits: false })).toMatchObject({
        mustHurry: false,
        deadlines: { limit: Infinity, deadline: now + 900_000 },
      });
  });
});

describe('an instance that waits on its hook', () => {
  it('hurries once the wait lasts only as long as the drain may', () => {
    const waitsSince = (seconds: number) => plan([told('t', seconds)]).mustHurry;
    expect(waitsSince(40 - 6000 + 901)).toBe(false);
    expect(waitsSince(40 - 6000 + 900)).toBe(true);
  });

  it('takes turns for half of its wait if the drain may last longer than the wait', () => {
    const long = { settings: { ...settings, drainTimeoutSeconds: 9000 } };
    expect(plan([told('t', 40 - 2999)], long).mustHurry).toBe(false);
    expect(plan([told('t', 40 - 3000)], long).mustHurry).toBe(true);
  });

  it('is held by the shortest timeout that its hook had, whatever the hook says later', () => {
    const raised = [hook({ heartbeatTimeoutSeconds: 3600, globalTimeoutSeconds: 172_800 })];
    expect(plan([notice()], { hooks: raised, ...markedAt(0, 60) })).toMatchObject({
      hook: { heartbeatTimeoutSeconds: 60, globalTimeoutSeconds: 6000 },
      deadlines: { limit: since + 5_970_000 },
    });
    expect(plan([notice()], markedAt(0, 3600)).hook).toMatchObject({
      heartbeatTimeoutSeconds: 60,
      globalTimeoutSeconds: 6000,
    });
  });
});

describe('a wait that AWS denies to prolong', () => {
  const timeout = 60_000;

  it('ends a timeout after the last heartbeat that was surely accepted, and does not wait for a turn', () => {
    expect(plan([told('t', 0)], { isDenied: true })).toMatchObject({
      waitEndsAt: since + timeout,
      mustHurry: true,
    });
    const mark = { since: at(0), renewedAt: at(30) };
    // Heartbeats of a hook of 60 s come every 20 s, so one was accepted within the 20 s before the mark was renewed.
    expect(plan([notice()], { isDenied: true, mark }).waitEndsAt).toBe(Date.parse(at(10)) + timeout);
  });

  it('ends a timeout from now if nothing shows when a heartbeat was accepted', () => {
    const { waitEndsAt } = plan([spot], { isDenied: true, mark: { since: at(0) } });
    expect(waitEndsAt).toBe(Date.parse(at(40)) + timeout);
  });

  it('keeps the end that was found first, although the mark is renewed later', () => {
    const mark = { since: at(0), renewedAt: at(39), waitEndsAt: at(70) };
    const { waitEndsAt, deadlines } = plan([notice()], { isDenied: true, mark });
    expect(waitEndsAt).toBe(Date.parse(at(70)));
    expect(deadlines.deadline).toBe(Date.parse(at(60)));
  });

  it('has no such end once AWS permits the calls again', () => {
    const mark = { since: at(0), renewedAt: at(39), waitEndsAt: at(70) };
    expect(plan([notice()], { mark }).waitEndsAt).toBeUndefined();
  });
});
