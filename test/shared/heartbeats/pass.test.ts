import { describe, expect, it } from 'vitest';
import { ThrottledError } from '../../../shared/groups/auto-scaling.ts';
import type { GroupInstance, LifecycleHook } from '../../../shared/groups/group.ts';
import { createHeartbeatMemory, type HeartbeatContext } from '../../../shared/heartbeats/context.ts';
import type { HeartbeatNotice } from '../../../shared/heartbeats/message.ts';
import { createPace } from '../../../shared/heartbeats/pace.ts';
import { heartbeatPass } from '../../../shared/heartbeats/pass.ts';
import type { Outcome } from '../../../shared/passes/outcome.ts';
import { groupOf } from '../../support/waiting-group.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const beganAt = Date.parse('2026-11-21T07:00:00Z');
const leavingHook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};
const throttled = () => Promise.reject(new ThrottledError('Rate exceeded'));

/** A state, or `error` if the description fails. */
type Described = string | undefined;

/** One wait, and passes of one environment over it. */
function createWait({
  hook = leavingHook,
  answers = [],
  states = [hook.transition === 'terminating' ? 'Terminating:Wait' : 'Pending:Wait'],
  ec2State = 'running',
  isManaged = true,
  listed = 'Terminating:Wait',
  changes = {},
  heartbeatTimeoutSeconds,
}: {
  /** The timeout in the notice. */
  readonly heartbeatTimeoutSeconds?: number;
  readonly hook?: LifecycleHook;
  /** What Auto Scaling answers to the first heartbeats; `recorded` afterwards. */
  readonly answers?: readonly ('recorded' | 'not-active' | 'refused')[];
  /** The state that each description shows; the last one stays. */
  readonly states?: readonly Described[];
  readonly ec2State?: 'running' | 'shutting-down' | 'terminated' | 'unknown' | 'error';
  readonly isManaged?: boolean;
  /** The state in the kept list of groups. */
  readonly listed?: string;
  readonly changes?: Partial<HeartbeatContext['autoScaling']>;
} = {}) {
  let now = beganAt;
  const sent: number[] = [];
  const errors: string[] = [];
  let described = 0;
  let replacement: HeartbeatNotice | undefined;
  const describeInstance = async (): Promise<GroupInstance | undefined> => {
    const state = states[Math.min(described, states.length - 1)];
    described += 1;
    if (state === 'error') return await throttled();
    if (state === undefined) return undefined;
    const [member] = groupOf({ [instanceId]: state }).instances;
    return member && { ...member, autoScalingGroupName: 'workers' };
  };
  const context: HeartbeatContext = {
    autoScaling: {
      describeInstance,
      describeGroup: async () => (isManaged ? groupOf({ [instanceId]: listed }) : undefined),
      describeHooks: async () => [hook],
      recordHeartbeat: async () => {
        const answer = answers[sent.length] ?? 'recorded';
        sent.push((now - beganAt) / 1000);
        return answer === 'refused' ? await throttled() : answer;
      },
      ...changes,
    },
    ec2: {
      describeInstance: async () => {
        if (ec2State === 'error') return await throttled();
        if (ec2State === 'unknown') return undefined;
        return { instanceId, state: ec2State, tags: {} };
      },
    },
    clock: { now: () => now },
    chance: () => 1,
    pace: createPace(),
    memory: createHeartbeatMemory(),
    replaceMessage: async (next) => void (replacement = next),
    reportError: (message) => void errors.push(message),
  };
  const notice: HeartbeatNotice = {
    cause: 'waiting',
    instanceId,
    noticedAt: new Date(beganAt).toISOString(),
    transition: hook.transition,
    ...(heartbeatTimeoutSeconds && { heartbeatTimeoutSeconds }),
    hook: { autoScalingGroupName: 'workers', lifecycleHookName: hook.lifecycleHookName },
  };
  let message = notice;
  /** A pass over the message, and if it replaces the message, the first pass over the new one, which SQS delivers at once. */
  const pass = async (redelivered = true, environment = context): Promise<Outcome> => {
    const outcome = await heartbeatPass(environment, { id: 'wait', notices: [message], redelivered });
    if (!replacement) return outcome;
    message = replacement;
    replacement = undefined;
    const next = await heartbeatPass(environment, { id: 'wait', notices: [message], redelivered: false });
    return { ...next, ...(outcome.facts && { facts: outcome.facts }) };
  };
  return { context, pass, sent, errors, elapse: (seconds: number) => void (now += seconds * 1000) };
}

describe('the heartbeats of a wait', () => {
  it('begin within a third of the timeout, and follow in a third each', async () => {
    const { pass, sent, elapse } = createWait();
    expect(await pass(false)).toMatchObject({ status: 'again', afterSeconds: 100 });
    elapse(100);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 100, facts: { heartbeats: 1 } });
    expect(sent).toEqual([100]);
  });

  it('begin without a read if the notice has the timeout of the hook', async () => {
    const describeHooks = () => Promise.reject(new Error('the hooks were not to be read'));
    const { pass, sent, errors } = createWait({ changes: { describeHooks }, heartbeatTimeoutSeconds: 60 });
    expect(await pass(false)).toMatchObject({ status: 'again', afterSeconds: 20 });
    expect([...sent, ...errors]).toEqual([]);
  });

  it('begin at once if the event is late', async () => {
    const { pass, sent, elapse } = createWait();
    elapse(101);
    await pass(false);
    expect(sent).toEqual([101]);
  });

  it('are sent again at once after a pass that was killed', async () => {
    const { pass, sent, elapse } = createWait();
    elapse(10);
    await pass();
    expect(sent).toEqual([10]);
  });

  it('are at most a quarter of an hour apart', async () => {
    const { pass } = createWait({ hook: { ...leavingHook, heartbeatTimeoutSeconds: 7200 } });
    expect(await pass()).toMatchObject({ afterSeconds: 900 });
  });

  it('end after 48 hours, because none extends the wait after that', async () => {
    const { pass, sent, elapse } = createWait();
    elapse(172_800);
    expect(await pass()).toMatchObject({ status: 'done' });
    expect(sent).toEqual([]);
  });

  it('are timed by the shortest timeout while no answer about the hook is known, and by the last answer later', async () => {
    let fails = true;
    const { pass, errors, elapse } = createWait({
      changes: { describeHooks: async () => (fails ? await throttled() : [leavingHook]) },
    });
    expect(await pass()).toMatchObject({ afterSeconds: 10 });
    fails = false;
    elapse(10);
    expect(await pass()).toMatchObject({ afterSeconds: 90 });
    fails = true;
    elapse(90);
    expect(await pass()).toMatchObject({ afterSeconds: 100 });
    expect(errors).toEqual(Array(3).fill('the hooks of workers could not be read'));
  });

  it('are timed by the notice while the hook cannot be read, so that not all waits are urgent at once', async () => {
    const { context, pass, sent, elapse } = createWait({
      changes: { describeHooks: throttled },
      heartbeatTimeoutSeconds: 3600,
    });
    for (let count = 0; count < 30; count += 1) context.pace.refused(context.clock.now());
    elapse(900);
    context.pace.refused(context.clock.now());
    expect(await pass()).toMatchObject({ reason: 'heartbeats are slower, because AWS refuses calls' });
    expect(sent).toEqual([]);
  });

  it('are never later than an interval from now, although another clock was ahead', async () => {
    const { context, elapse } = createWait({ heartbeatTimeoutSeconds: 60 });
    elapse(-300);
    const notice = {
      cause: 'waiting',
      instanceId,
      noticedAt: new Date(beganAt).toISOString(),
      transition: 'terminating',
      heartbeatTimeoutSeconds: 60,
      hook: { autoScalingGroupName: 'workers', lifecycleHookName: leavingHook.lifecycleHookName },
    } as const;
    const subject = { id: 'wait', redelivered: false };
    const passOver = (one: HeartbeatNotice) => heartbeatPass(context, { ...subject, notices: [one] });
    expect(await passOver({ ...notice, restartedAt: notice.noticedAt })).toMatchObject({ afterSeconds: 20 });
    expect(await passOver(notice)).toMatchObject({ afterSeconds: 20 });
  });

  it('do not end early because the timeout of the hook was shortened', async () => {
    const hook = { ...leavingHook, heartbeatTimeoutSeconds: 30, globalTimeoutSeconds: 3000 };
    const { pass, sent, elapse } = createWait({ hook, heartbeatTimeoutSeconds: 3600 });
    elapse(3500);
    expect(await pass()).toMatchObject({ status: 'again' });
    expect(sent).toHaveLength(1);
  });

  it('go on however the reads fail, because a heartbeat waits for no read', async () => {
    const { pass, sent } = createWait({ states: ['error'], ec2State: 'error' });
    await pass();
    expect(sent).toHaveLength(1);
  });

  it('go on if an older description shows the instance in service', async () => {
    const { pass, sent } = createWait({ states: ['InService'] });
    expect(await pass()).toMatchObject({ status: 'again' });
    expect(sent).toHaveLength(1);
  });
});

describe('a heartbeat that AWS refuses', () => {
  it('is sent again soon, and says how long the wait lasts', async () => {
    const { pass, errors, elapse } = createWait({ answers: ['refused'] });
    elapse(150);
    expect(await pass()).toMatchObject({
      status: 'again',
      afterSeconds: 1 + 150 / 8,
      reason: 'the heartbeat was refused, and the wait ends in 150 s without one: Rate exceeded',
      facts: { heartbeatsRefused: 1 },
    });
    expect(errors).toEqual([`the heartbeat for ${instanceId} was refused`]);
  });

  it('puts the wait at risk once less than a third of the timeout is left', async () => {
    const { pass, elapse } = createWait({ answers: Array(9).fill('refused') });
    elapse(150);
    expect((await pass()).facts).not.toHaveProperty('waitsAtRisk');
    elapse(51);
    expect((await pass()).facts).toMatchObject({ waitsAtRisk: 1 });
    elapse(90);
    expect(await pass()).toMatchObject({ afterSeconds: 1 });
  });

  it('slows the others of its environment, but not a wait that is about to end', async () => {
    const { context, pass, sent, elapse } = createWait({ answers: Array(9).fill('refused') });
    elapse(150);
    await pass();
    for (let count = 0; count < 30; count += 1) context.pace.refused(context.clock.now());
    expect(await pass()).toMatchObject({
      reason: 'heartbeats are slower, because AWS refuses calls',
      afterSeconds: 25,
    });
    expect(sent).toHaveLength(1);
    elapse(131);
    while (context.pace.take(context.clock.now(), { isUrgent: true }) === 0);
    await pass();
    expect(sent).toHaveLength(2);
  });

  it('ends with the timeout if the group has lost the tag of the cluster, and not before', async () => {
    const { pass, elapse } = createWait({ answers: Array(9).fill('refused'), isManaged: false });
    elapse(299);
    expect(await pass()).toMatchObject({ status: 'again' });
    elapse(1);
    expect(await pass()).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('has no tag of this cluster'),
    });
  });

  it('goes on past the timeout if the group cannot be read, because it may be managed', async () => {
    const changes = { describeGroup: throttled };
    const { pass, elapse } = createWait({ answers: Array(9).fill('refused'), changes });
    elapse(1000);
    expect(await pass()).toMatchObject({ status: 'again' });
  });

  it('goes on past the timeout if the group is managed, because a heartbeat may have been accepted since', async () => {
    const { pass, elapse } = createWait({ answers: Array(9).fill('refused') });
    await pass();
    elapse(1000);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 21 });
  });

  it.each(['AccessDenied', 'TimeoutError'])(
    'for another reason (%s) slows no other heartbeat',
    async (name) => {
      const recordHeartbeat = () => Promise.reject(Object.assign(new Error('no'), { name }));
      const { context, pass } = createWait({ changes: { recordHeartbeat } });
      const slots = () => Array.from({ length: 5 }, () => context.pace.take(context.clock.now()));
      await pass();
      expect(slots().slice(0, 4)).toEqual([0, 0, 0, 0]);
    },
  );
});

describe('a wait for which Auto Scaling knows no action', () => {
  it.each([
    ['InService', leavingHook],
    ['Terminating:Proceed', leavingHook],
    ['InService', { ...leavingHook, transition: 'launching' as const }],
  ])('is over if a description that is read afterwards shows it in %s', async (state, hook) => {
    const { pass, elapse } = createWait({ hook, answers: ['not-active'], states: [state] });
    elapse(100);
    expect(await pass()).toMatchObject({ status: 'done' });
  });

  it('is described by what is read afterwards, not by what was kept', async () => {
    const readFrom: unknown[] = [];
    const describeInstance = async (_: string, notBefore?: number) => {
      readFrom.push(notBefore);
      return undefined;
    };
    const { pass, elapse, context } = createWait({ answers: ['not-active'], changes: { describeInstance } });
    elapse(100);
    await pass();
    expect(readFrom).toEqual([context.clock.now()]);
  });

  it('is not over if the description shows that it waits: a second heartbeat follows at once', async () => {
    const { pass, sent, elapse } = createWait({ answers: ['not-active'] });
    elapse(100);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 100 });
    expect(sent).toEqual([100, 100]);
  });

  it('is tried again in time if another hook may hold the instance', async () => {
    const { pass, elapse } = createWait({ answers: ['not-active', 'not-active'] });
    elapse(150);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 75 });
  });

  it('costs one call an interval once its timeout is over and another hook holds the instance for hours', async () => {
    const { pass, sent, elapse } = createWait({ answers: Array(999).fill('not-active') });
    elapse(301);
    for (let second = 301; second < 3600; ) {
      const outcome = await pass();
      if (outcome.status !== 'again') throw new Error('the wait was given up');
      elapse(outcome.afterSeconds);
      second += outcome.afterSeconds;
    }
    expect(sent).toHaveLength(33);
  });

  it.each(['error', undefined])('is not over if the description is %s', async (state) => {
    const { pass, elapse } = createWait({ answers: ['not-active'], states: [state] });
    elapse(100);
    expect(await pass()).toMatchObject({ status: 'again' });
  });

  it('is not over within a minute after its event, because Auto Scaling may not know it yet', async () => {
    const { pass, elapse } = createWait({ answers: ['not-active'], states: ['InService'] });
    elapse(59);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 5 });
  });
});

describe('an instance that Auto Scaling no longer knows', () => {
  it.each(['terminated', 'shutting-down'] as const)(
    'needs no heartbeat if EC2 reports it as %s',
    async (ec2State) => {
      const { pass, sent } = createWait({ states: [undefined], ec2State });
      expect(await pass()).toMatchObject({ status: 'done' });
      expect(sent).toEqual([]);
    },
  );

  it('is given up once it is missing for minutes, and nothing waits', async () => {
    const { pass, elapse } = createWait({
      answers: Array(9).fill('not-active'),
      states: [undefined],
      ec2State: 'unknown',
    });
    elapse(100);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 100 });
    elapse(299);
    expect(await pass()).toMatchObject({ status: 'again' });
    elapse(1);
    expect(await pass()).toMatchObject({ status: 'done' });
  });

  it('is confirmed as missing however far apart its heartbeats are', async () => {
    const { pass, elapse } = createWait({
      hook: { ...leavingHook, heartbeatTimeoutSeconds: 7200, globalTimeoutSeconds: 172_800 },
      answers: Array(9).fill('not-active'),
      states: [undefined],
      ec2State: 'unknown',
    });
    elapse(900);
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 300 });
    elapse(301);
    expect(await pass()).toMatchObject({ status: 'done' });
  });

  it('keeps its heartbeats as long as Auto Scaling accepts them', async () => {
    const { pass, sent, elapse } = createWait({ states: [undefined], ec2State: 'unknown' });
    for (let count = 0; count < 5; count += 1) {
      elapse(100);
      expect(await pass()).toMatchObject({ status: 'again' });
    }
    expect(sent).toHaveLength(5);
  });
});

it('an instance that EC2 ends keeps its heartbeats as long as Auto Scaling shows that it waits', async () => {
  const { pass, sent } = createWait({ ec2State: 'shutting-down' });
  expect(await pass()).toMatchObject({ status: 'again' });
  expect(sent).toHaveLength(1);
});

it('an instance that EC2 ends needs no heartbeat once Auto Scaling shows it past its wait', async () => {
  const { pass, sent } = createWait({ states: ['Terminating:Proceed'], ec2State: 'shutting-down' });
  expect(await pass()).toMatchObject({ status: 'done' });
  expect(sent).toEqual([]);
});

describe('an instance that EC2 ends is not described', () => {
  const describeInstance = () => Promise.reject(new Error('it was not to be described'));

  it.each(['Terminating:Proceed', 'Terminated'])('if its group lists it as %s', async (listed) => {
    const { pass, errors, sent } = createWait({
      ec2State: 'terminated',
      listed,
      changes: { describeInstance },
    });
    expect(await pass()).toMatchObject({ status: 'done' });
    expect([...errors, ...sent]).toEqual([]);
  });

  it('if its group no longer lists it', async () => {
    const changes = { describeInstance, describeGroup: async () => groupOf({}) };
    const { pass, errors, sent } = createWait({ ec2State: 'terminated', changes });
    expect(await pass()).toMatchObject({ status: 'done' });
    expect([...errors, ...sent]).toEqual([]);
  });
});

it.each([
  ['has no tag of this cluster', { isManaged: false }],
  ['cannot be read', { changes: { describeGroup: throttled } }],
])('an instance that EC2 ends is described if its group %s', async (_, options) => {
  const { pass } = createWait({ states: ['Terminating:Proceed'], ec2State: 'terminated', ...options });
  expect(await pass()).toMatchObject({ status: 'done' });
});

describe('the message of a wait', () => {
  const restarted = { answers: Array(9).fill('recorded') };

  it('shows every environment when the timeout began again', async () => {
    const { pass, sent, elapse } = createWait({ answers: ['recorded', 'refused'] });
    elapse(100);
    await pass();
    elapse(250);
    expect((await pass()).facts).toMatchObject({ waitsAtRisk: 1 });
    expect(sent).toEqual([100, 350]);
  });

  it('is hidden until the next heartbeat is due, without a read', async () => {
    const { pass, sent, errors, elapse } = createWait(restarted);
    elapse(100);
    await pass();
    elapse(40);
    expect(await pass()).toEqual({
      status: 'again',
      afterSeconds: 60,
      reason: 'the next heartbeat is not due yet',
    });
    expect(sent).toEqual([100]);
    expect(errors).toEqual([]);
  });

  it('has the time at which its heartbeat was sent, because Auto Scaling may have accepted it long before its answer', async () => {
    let answerSeconds = 20;
    const recordHeartbeat = async () => {
      wait.elapse(answerSeconds);
      answerSeconds = 0;
      return 'recorded' as const;
    };
    const wait = createWait({ changes: { recordHeartbeat } });
    wait.elapse(100);
    expect(await wait.pass()).toMatchObject({
      afterSeconds: 80,
      reason: 'the next heartbeat is not due yet',
    });
  });

  it('returns in a third of the timeout if it could not be replaced', async () => {
    const { context, pass, errors, elapse } = createWait(restarted);
    const replaceMessage = () => Promise.reject(new Error('SQS is away'));
    elapse(100);
    expect(await pass(true, { ...context, replaceMessage })).toMatchObject({
      status: 'again',
      afterSeconds: 100,
      facts: { heartbeats: 1 },
    });
    expect(errors).toEqual([`the message with the heartbeat of ${instanceId} could not be sent`]);
  });

  it('keeps the shortest timeout that the hook has had during the wait', async () => {
    let hook = { ...leavingHook, heartbeatTimeoutSeconds: 60 };
    const { pass, elapse } = createWait({ changes: { describeHooks: async () => [hook] } });
    elapse(20);
    expect(await pass()).toMatchObject({ afterSeconds: 20 });
    hook = leavingHook;
    elapse(20);
    expect(await pass()).toMatchObject({ afterSeconds: 20 });
  });

  describe('that is delivered with others', () => {
    const notice: HeartbeatNotice = {
      cause: 'waiting',
      instanceId,
      noticedAt: new Date(beganAt).toISOString(),
      transition: 'terminating',
      hook: { autoScalingGroupName: 'workers', lifecycleHookName: leavingHook.lifecycleHookName },
    };
    const newer = { ...notice, restartedAt: new Date(beganAt + 100_000).toISOString() };

    it.each([
      ['an older one', [notice, newer]],
      ['an older one, in another order', [newer, notice]],
    ])('counts with its later restart: %s', async (_, notices) => {
      const { context, sent, elapse } = createWait();
      elapse(150);
      const subject = { id: 'wait', notices, redelivered: true };
      expect(await heartbeatPass(context, subject)).toMatchObject({ status: 'again', afterSeconds: 50 });
      expect(sent).toEqual([]);
    });

    it('counts with the shortest timeout, whatever the sweep has found since', async () => {
      const { context, elapse } = createWait({ hook: { ...leavingHook, heartbeatTimeoutSeconds: 3600 } });
      const found = { ...notice, noticedAt: new Date(beganAt - 3_600_000).toISOString() };
      const notices = [
        { ...found, heartbeatTimeoutSeconds: 3600 },
        { ...newer, heartbeatTimeoutSeconds: 60 },
      ];
      elapse(110);
      const outcome = await heartbeatPass(context, { id: 'wait', notices, redelivered: true });
      expect(outcome).toMatchObject({ status: 'again', afterSeconds: 10 });
    });
  });
});
