import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { BusyError } from '../../../shared/groups/auto-scaling.ts';
import type { NotificationResult } from '../../../shared/notifications/notification.ts';
import type { RollContext } from '../../../shared/roll/context.ts';
import type { RollMember } from '../../../shared/roll/member.ts';
import { markPatch, taintPatch } from '../../../shared/roll/node-marks.ts';
import { rollsPass } from '../../../shared/roll/pass.ts';
import {
  askParameterOf,
  formatRoll,
  formatSeen,
  keptAfterEndSeconds,
  type Roll,
  type RollSeen,
  readSeen,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import {
  apiServerOn,
  groupOf,
  instance,
  launchOf,
  newMember,
  nodeOf,
  oldMember,
  rollOf,
  startedAt,
  version,
} from './fixture.ts';

const paths = rollPathsOf('demo');
const now = startedAt + 600_000;

interface Facts {
  readonly rolls: readonly { readonly roll: Roll; readonly seen?: Partial<RollSeen> }[];
  readonly members?: readonly RollMember[];
  /** The role of each group that is not of workers. */
  readonly roles?: Readonly<Record<string, string>>;
  /** Each group has these tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Each group suspends these processes. */
  readonly suspended?: readonly string[];
  readonly alarms?: readonly string[];
  /** The hooks that each terminating instance waits on. Defaults to that of node-leaving. */
  readonly hookNames?: readonly string[];
  /** The instances whose termination has begun, by the activities of their group. */
  readonly terminating?: readonly number[];
  readonly notified?: NotificationResult;
  /** Pods that would stay Pending, of each node. */
  readonly stranded?: readonly string[];
  readonly pods?: readonly Pod[];
  /** What each list of the Nodes fails with. */
  readonly unread?: Error;
  readonly refuses?: (call: string) => boolean;
  /** What Auto Scaling refuses because it changes the instance already. */
  readonly isBusy?: (call: string) => boolean;
}

/** The calls of a pass that change something, in their order, and the parameters as it leaves them. */
function passOver({
  rolls,
  members = [],
  roles = {},
  tags = {},
  suspended = [],
  alarms = [],
  hookNames = ['leaving'],
  terminating = [],
  notified = 'off',
  stranded = [],
  pods = [],
  unread,
  refuses = () => false,
  isBusy = () => false,
}: Facts) {
  const texts = new Map<string, string>();
  for (const { roll, seen } of rolls) {
    texts.set(askParameterOf(paths, roll.name), formatRoll(roll));
    const text = seen && {
      startedAt: roll.startedAt,
      state: 'running' as const,
      reason: '',
      since: now,
      told: [],
      ...seen,
    };
    if (text) texts.set(seenParameterOf(paths, roll.name), formatSeen(text));
  }
  const calls: string[] = [];
  const patches: unknown[] = [];
  const call = async (text: string): Promise<void> => {
    // A caller that does not wait for the answer does not see what comes later.
    await new Promise((resolve) => setImmediate(resolve));
    if (isBusy(text)) throw new BusyError('Activity 6c2f is in progress.');
    if (refuses(text)) throw new Error(`${text} is refused`);
    calls.push(text);
  };
  const names = new Set(members.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const nodes: readonly Node[] = members.flatMap(({ node }) => node ?? []);
  const context: RollContext = {
    parameters: {
      listBelow: () => Promise.resolve(new Map(texts)),
      write: async (name, text) => {
        await call(`write ${name.slice(paths.rolls.length + 1)}`);
        texts.set(name, text);
      },
      remove: async (name) => {
        await call(`remove ${name.slice(paths.rolls.length + 1)}`);
        texts.delete(name);
      },
    },
    autoScaling: {
      // A list that may be older would not show what has left since.
      listGroups: (notBefore = 0) =>
        Promise.resolve(
          notBefore < now
            ? []
            : [...names].map((autoScalingGroupName) =>
                groupOf(members, {
                  autoScalingGroupName,
                  role: roles[autoScalingGroupName] ?? 'worker',
                  tags,
                  suspendedProcesses: suspended,
                }),
              ),
        ),
      describeHooks: () =>
        Promise.resolve(
          hookNames.map((lifecycleHookName) => ({
            lifecycleHookName,
            transition: 'terminating',
            heartbeatTimeoutSeconds: 300,
            globalTimeoutSeconds: 30_000,
            defaultResult: 'CONTINUE',
          })),
        ),
      terminate: async (id) => {
        await call(`terminate ${Number(id.slice(2))}`);
        return 'terminating';
      },
    },
    setUnhealthy: (id) => call(`set-unhealthy ${Number(id.slice(2))}`),
    setHealthy: (id) => call(`set-healthy ${Number(id.slice(2))}`),
    launches: {
      readTargets: (groups) =>
        Promise.resolve(new Map(groups.map((group) => [group.autoScalingGroupName, { main: version(2) }]))),
      readInstances: (ids) =>
        Promise.resolve(
          new Map(
            members.flatMap(({ instanceId, launch }) =>
              launch && ids.includes(instanceId) ? [[instanceId, launch] as const] : [],
            ),
          ),
        ),
      readTerminating: () => Promise.resolve(new Set(terminating.map(instance))),
      findActiveRefresh: () => Promise.resolve(undefined),
      readFailedLaunches: (_name, since) => Promise.resolve({ count: since <= startedAt ? failed : 0 }),
    },
    readAlarms: (asked) =>
      Promise.resolve({ inAlarm: alarms.filter((name) => asked.includes(name)), unknown: [] }),
    cluster: {
      listNodes: (consistency) =>
        unread ? Promise.reject(unread) : Promise.resolve(consistency === 'consistent' ? nodes : []),
      patchNode: async (name, patch) => {
        patches.push(patch);
        await call(`patch ${Number(name.slice(-17))}`);
        return {};
      },
      listPodDisruptionBudgets: () => Promise.resolve([]),
      listPods: () => Promise.resolve(pods),
    },
    readCluster: async () => {
      await call('read cluster');
      const strandedOn = () => stranded.map((pod) => ({ pod, why: 'it would stay Pending' }));
      return { pods: [], budgets: [], strandedOn };
    },
    notify: () => Promise.resolve(notified),
    clock: { now: () => now },
    settings: {
      clusterName: 'demo',
      joinTimeoutSeconds: 590,
      leavingHookName: 'leaving',
      etcdHookName: 'etcd',
    },
  };
  const seenOf = (name: string): RollSeen | undefined => {
    const reading = readSeen(texts.get(seenParameterOf(paths, name)) ?? '');
    return reading.kind === 'read' ? reading.value : undefined;
  };
  return { pass: () => rollsPass(context), calls, patches, seenOf };
}

/** Launches that failed between the begin of the rolls and their resumption. */
const failed = 3;

const withTaint = (member: RollMember, roll = 'june'): RollMember =>
  withPatch(member, taintPatch(member.node ?? nodeOf('none'), roll));

function withPatch(member: RollMember, patch: ReturnType<typeof markPatch>): RollMember {
  const node = member.node ?? nodeOf('none');
  const annotations = { ...node.metadata?.annotations, ...patch.metadata.annotations };
  return {
    ...member,
    node: {
      ...node,
      metadata: { ...node.metadata, annotations } as never,
      spec: { ...node.spec, ...patch.spec } as never,
    },
  };
}

/** Resumed after the failed launches, which count no more. */
const resumed = { resumedAt: startedAt + 1 };

describe('two rolls of etcd', () => {
  const etcd = (number: number, autoScalingGroupName: string): RollMember => {
    const { node: _, ...member } = oldMember(number, { autoScalingGroupName });
    return member;
  };
  const members = [etcd(1, 'etcd-a'), etcd(2, 'etcd-b')];
  const roles = { 'etcd-a': 'etcd', 'etcd-b': 'etcd' };
  const earlier = rollOf(['etcd-a'], { name: 'may', startedAt: startedAt - 60_000, resumedAt: now - 1 });
  const later = rollOf(['etcd-b'], resumed);

  test.each([
    ['june', 'may'],
    ['april', 'may'],
  ])('replace one instance in the pass that resumes the earlier one (%s, %s)', async (name, other) => {
    const { pass, calls, seenOf } = passOver({
      rolls: [
        { roll: { ...earlier, name: other }, seen: { state: 'stopped', since: now - 2 } },
        { roll: { ...later, name } },
      ],
      members,
      roles,
    });
    await pass();
    expect(calls.filter((call) => call.startsWith('terminate'))).toEqual(['terminate 1']);
    expect(seenOf(name)).toMatchObject({ state: 'paused' });
  });

  test('do not wait for one that has stopped', async () => {
    const { resumedAt: _, ...stopped } = earlier;
    const { pass, calls } = passOver({
      rolls: [{ roll: stopped, seen: { state: 'stopped' } }, { roll: later }],
      members,
      roles,
    });
    await pass();
    expect(calls).toContain('terminate 2');
  });
});

describe('a roll that replaces several at once', () => {
  const marked = (number: number): RollMember => {
    const member = withTaint(oldMember(number));
    return withPatch(
      member,
      markPatch(member.node ?? nodeOf('none'), { roll: 'june', waits: true, now: startedAt }),
    );
  };
  const members = [marked(1), withTaint(oldMember(2)), withTaint(oldMember(3))];

  test('waits without a failure for an instance that Auto Scaling changes already, as after an old list', async () => {
    const { pass, seenOf } = passOver({
      rolls: [{ roll: rollOf(['workers'], resumed) }],
      members,
      isBusy: (call) => call.startsWith('terminate'),
    });
    expect(await pass()).toMatchObject({ afterSeconds: 15 });
    expect(seenOf('june')).toMatchObject({
      state: 'running',
      reason: expect.stringMatching(/^Auto Scaling already changes i-\S+ of workers, so the roll waits/),
    });
  });

  test.each([
    [1, 15],
    [2, 2],
  ])(
    'begins the next one as soon as a surge of %i allows it, after %i seconds',
    async (surge, afterSeconds) => {
      const { pass, calls } = passOver({
        rolls: [{ roll: rollOf(['workers'], { ...resumed, surge, canary: 0 }) }],
        members,
      });
      expect(await pass()).toMatchObject({ status: 'again', afterSeconds });
      expect(calls).toContain('terminate 1');
    },
  );

  test('keeps an empty new node in the pass that takes its step, and says both', async () => {
    const { pass, calls } = passOver({
      rolls: [{ roll: rollOf(['workers'], { ...resumed, canary: 0 }) }],
      members: [...members, newMember(4)],
    });
    expect(await pass()).toMatchObject({
      reason: expect.stringMatching(/is replaced; node-i-0*4 shall stay although empty$/),
    });
    expect(calls.filter((call) => !call.startsWith('write'))).toEqual(['patch 4', 'terminate 1']);
  });
});

describe('a roll of a control plane of three groups of one', () => {
  const [a, b, c] = [
    { autoScalingGroupName: 'a' },
    { autoScalingGroupName: 'b' },
    { autoScalingGroupName: 'c' },
  ];
  const roles = { a: 'control-plane', b: 'control-plane', c: 'control-plane' };
  const roll = rollOf(['a', 'b', 'c'], { ...resumed, canary: 1, bakeSeconds: 300 });
  const launchedAgo = (seconds: number): RollMember =>
    newMember(1, { ...a, launch: { launchedAt: now - seconds * 1000, ...launchOf(2) } });

  test('lets the first new one bake before the next group begins', async () => {
    const members = (seconds: number) => [
      launchedAgo(seconds),
      withTaint(oldMember(2, b)),
      withTaint(oldMember(3, c)),
    ];
    const early = passOver({ rolls: [{ roll }], members: members(299), roles });
    await early.pass();
    expect(early.calls.filter((call) => call.startsWith('terminate'))).toEqual([]);
    expect(early.seenOf('june')?.reason).toMatch(/^the canary of a: new node node-i-0*1 bakes until /);
    const baked = passOver({ rolls: [{ roll }], members: members(300), roles });
    await baked.pass();
    expect(baked.calls.filter((call) => call.startsWith('patch'))).toContain('patch 2');
  });

  test('does not wait for a group that it has launched nothing in', async () => {
    const members = [
      oldMember(1, { ...a, protectedFromScaleIn: true }),
      withTaint(oldMember(2, b)),
      oldMember(3, { ...c, protectedFromScaleIn: true }),
    ];
    const { pass, calls, seenOf } = passOver({ rolls: [{ roll }], members, roles, notified: 'sent' });
    await pass();
    expect(calls).toContain('patch 2');
    expect(seenOf('june')?.told).toEqual(['roll-began']);
  });

  test('needs no bake after the last of them', async () => {
    const members = [launchedAgo(10), newMember(2, b), newMember(3, c)];
    const { pass, seenOf } = passOver({ rolls: [{ roll }], members, roles });
    await pass();
    expect(seenOf('june')).toMatchObject({ state: 'done' });
  });
});

describe('an old instance in service that has no Node', () => {
  const { node: _, ...unseen } = oldMember(1);

  test('is left out if it has never joined, and the roll is done', async () => {
    const { pass, seenOf } = passOver({ rolls: [{ roll: rollOf(['workers'], resumed) }], members: [unseen] });
    await pass();
    expect(seenOf('june')).toMatchObject({
      state: 'done',
      reason: expect.stringContaining('is left: it has no Node'),
    });
  });

  test('leaves if its termination has begun: the list of the group may be a minute old', async () => {
    const { pass, seenOf } = passOver({
      rolls: [{ roll: rollOf(['workers'], resumed) }],
      members: [unseen],
      terminating: [1],
    });
    await pass();
    expect(seenOf('june')).toMatchObject({
      state: 'running',
      reason: '1 instance of workers to come or to leave',
    });
  });
});

describe('a roll that stops', () => {
  const roll = rollOf(['workers'], { ...resumed, stopOn: ['errors'] });

  test('is written before anything is changed, and released at once', async () => {
    const members = [withTaint(oldMember(1))];
    const { pass, calls, seenOf } = passOver({ rolls: [{ roll }], members, alarms: ['errors'] });
    expect(await pass()).toMatchObject({ status: 'again', afterSeconds: 1 });
    expect(calls).toEqual(['write june/seen']);
    expect(seenOf('june')).toMatchObject({ state: 'stopped', reason: 'the alarm errors is raised' });
    await pass();
    expect(calls.slice(1)).toEqual(['patch 1']);
    expect(seenOf('june')?.reason).toBe('the alarm errors is raised');
  });

  test('for the same reason after it was resumed is written as stopped again, also if no notification is sent', async () => {
    const seen = {
      state: 'stopped',
      reason: 'the alarm errors is raised',
      since: startedAt,
      told: [],
    } as const;
    const { pass, seenOf } = passOver({
      rolls: [{ roll, seen }],
      members: [oldMember(1)],
      alarms: ['errors'],
      notified: 'failed',
    });
    await pass();
    expect(seenOf('june')).toMatchObject({ state: 'stopped', since: now });
  });

  test('stays stopped while drover pause holds its group, and does not go on when that ends', async () => {
    const stopped = { roll, seen: { state: 'stopped', reason: 'an alarm' } } as const;
    const tags = { 'drover.dev/paused': 'scope=group by=ana' };
    const { pass, calls, seenOf } = passOver({ rolls: [stopped], members: [withTaint(oldMember(1))], tags });
    await pass();
    expect(calls).not.toContain('patch 1');
    expect(seenOf('june')).toMatchObject({ state: 'stopped', reason: 'an alarm', since: now });
  });

  test('because of launches that failed does not count them again once it is resumed', async () => {
    const { resumedAt: _, ...first } = roll;
    const once = passOver({ rolls: [{ roll: first }], members: [oldMember(1)] });
    await once.pass();
    expect(once.seenOf('june')).toMatchObject({
      state: 'stopped',
      reason: '3 launches of workers have failed',
    });
    const { pass, calls } = passOver({ rolls: [{ roll }], members: [oldMember(1)] });
    await pass();
    expect(calls[0]).toBe('patch 1');
  });
});

describe('a pass', () => {
  test('fails if a node cannot be tainted, once the other nodes and rolls have had their steps, and the roll says why', async () => {
    const more = { autoScalingGroupName: 'more' };
    const { pass, calls, seenOf } = passOver({
      rolls: [
        { roll: rollOf(['workers'], resumed) },
        { roll: rollOf(['more'], { ...resumed, name: 'may' }) },
      ],
      members: [oldMember(1), oldMember(2), oldMember(3, more)],
      refuses: (call) => call === 'patch 1',
    });
    await expect(pass()).rejects.toThrow('patch 1 is refused');
    expect(calls).toEqual(expect.arrayContaining(['patch 2', 'patch 3', 'write may/seen']));
    expect(seenOf('june')?.reason).toContain('patch 1 is refused');
  });

  test('keeps what people were notified of when the state of a roll changes', async () => {
    const roll = rollOf(['workers'], { wanted: 'paused' });
    const { pass, seenOf } = passOver({
      rolls: [{ roll, seen: { told: ['roll-began'] } }],
      members: [oldMember(1)],
    });
    await pass();
    expect(seenOf('june')).toMatchObject({ state: 'paused', told: ['roll-began'] });
  });

  test('counts the time for annotations of pods from the begin of the roll, whenever it marks the node', async () => {
    const roll = rollOf(['workers'], resumed);
    const { pass, patches } = passOver({ rolls: [{ roll }], members: [withTaint(oldMember(1))] });
    await pass();
    const until = new Date(startedAt + roll.annotationTimeoutSeconds * 1000).toISOString();
    expect(JSON.stringify(patches)).toContain(until);
  });

  test('gives a canary its time again after an outage of the API server, and after people have resumed the roll', async () => {
    const roll = rollOf(['workers'], { ...resumed, canary: 1 });
    const { node: _node, ...canary } = newMember(2, { launch: { launchedAt: startedAt, ...launchOf(2) } });
    const members = [withTaint(oldMember(1)), canary];
    const played = async (seen: Partial<RollSeen>, more: Partial<Roll> = {}) => {
      const { pass, seenOf } = passOver({ rolls: [{ roll: { ...roll, ...more }, seen }], members });
      await pass();
      return seenOf('june');
    };
    const stopped = { state: 'stopped', reason: expect.stringContaining('joined') } as const;
    expect(await played({})).toMatchObject(stopped);
    const unreadableUntil = now - 60_000;
    expect(await played({ unreadableUntil })).toMatchObject({ state: 'running', unreadableUntil });
    const since = now - 120_000;
    expect(await played({ state: 'stopped', since }, { resumedAt: since + 1 })).toMatchObject({
      state: 'running',
    });
  });

  test.each([
    ['the API server does not answer', 'unreachable', now],
    ['the API server refuses to be read', 'forbidden', now - 60_000],
  ])('keeps when the API server last did not answer: %s', async (message, kind, unreadableUntil) => {
    const seen = {
      reason: `the last pass has failed: ${message}`,
      since: now - 120_000,
      unreadableUntil: now - 60_000,
    };
    const { pass, seenOf } = passOver({
      rolls: [{ roll: rollOf(), seen }],
      members: [oldMember(1)],
      unread: Object.assign(new Error(message), { kind }),
    });
    await expect(pass()).rejects.toThrow(message);
    expect(seenOf('june')).toMatchObject({ ...seen, unreadableUntil });
  });

  test.each([
    [false, 'running'],
    [true, 'done'],
  ])(
    'of a control plane ends once the API server of the last new node is Ready: %s',
    async (ready, state) => {
      const { pass, seenOf } = passOver({
        rolls: [{ roll: rollOf(['workers'], resumed) }],
        members: [newMember(1), newMember(2)],
        roles: { workers: 'control-plane' },
        pods: [apiServerOn(`node-${instance(1)}`), apiServerOn(`node-${instance(2)}`, { ready })],
      });
      await pass();
      expect(seenOf('june')).toMatchObject({ state });
    },
  );

  test('deletes what was asked of a roll that ended a week ago before what was seen of it', async () => {
    const ended = { state: 'done', since: now - keptAfterEndSeconds * 1000 } as const;
    const { pass, calls } = passOver({ rolls: [{ roll: rollOf(), seen: ended }] });
    await pass();
    // Without its end, the roll would begin again.
    expect(calls).toEqual(['remove june/ask', 'remove june/seen']);
    const recent = passOver({ rolls: [{ roll: rollOf(), seen: { ...ended, since: ended.since + 1 } }] });
    await recent.pass();
    expect(recent.calls).toEqual([]);
  });

  test('releases what has a mark or a taint of no roll, unless its instance leaves', async () => {
    const mark = (number: number, more: Partial<RollMember> = {}) => {
      const member = withTaint(oldMember(number, more), 'gone');
      return withPatch(member, markPatch(member.node ?? nodeOf('none'), { roll: 'gone', waits: true, now }));
    };
    const members = [
      mark(1),
      mark(2, { lifecycleState: 'Terminating:Wait' }),
      withTaint(oldMember(3), 'gone'),
    ];
    const { pass, calls } = passOver({ rolls: [], members });
    expect(await pass()).toMatchObject({ status: 'done' });
    expect(calls).toEqual(['patch 1', 'patch 3']);
  });

  test('removes a mark that it does not understand, names the node, and keeps its cordon', async () => {
    const edited = (number: number, more: Partial<RollMember> = {}): RollMember => {
      const node = nodeOf(instance(number));
      const annotations = { 'drover.dev/rolling': 'june' };
      return oldMember(number, {
        node: {
          ...node,
          metadata: { ...node.metadata, annotations },
          spec: { ...node.spec, unschedulable: true },
        },
        ...more,
      });
    };
    const members = [edited(1), edited(2, { lifecycleState: 'Terminating:Wait' })];
    const { pass, calls, patches } = passOver({ rolls: [], members });
    const { reason } = await pass();
    expect(calls).toEqual(['patch 1']);
    expect(patches[0]).toMatchObject({ metadata: { annotations: { 'drover.dev/rolling': null } } });
    expect(patches[0]).not.toHaveProperty('spec');
    expect(reason).toMatch(/removed a mark of node-i-0+1 that is not understood; it stays cordoned/);
  });

  test('makes an instance Healthy that nothing would replace, for a roll that was aborted', async () => {
    const mark = markPatch(nodeOf(instance(1)), { roll: 'june', waits: true, now });
    const members = [{ ...withPatch(oldMember(1), mark), healthy: false }];
    const roll = rollOf(['workers'], { wanted: 'aborted' });
    const { pass, calls } = passOver({ rolls: [{ roll }], members, suspended: ['ReplaceUnhealthy'] });
    await pass();
    expect(calls).toContain('set-healthy 1');
    expect(calls).not.toContain('patch 1');
  });

  test('leaves the nodes of a roll that it does not understand as they are', async () => {
    const unread = rollOf(['workers'], { surge: 0 });
    const { pass, calls } = passOver({ rolls: [{ roll: unread }], members: [withTaint(oldMember(1))] });
    expect((await pass()).reason).toContain('the roll june is not understood');
    expect(calls).toEqual([]);
  });

  test('begins in one group although a node of a later group of the roll leaves', async () => {
    const more = { autoScalingGroupName: 'more', lifecycleState: 'Terminating:Wait' };
    const { pass, calls } = passOver({
      rolls: [{ roll: rollOf(['workers', 'more'], resumed) }],
      members: [withTaint(oldMember(1)), oldMember(2, more)],
    });
    await pass();
    expect(calls[0]).toBe('patch 1');
  });

  test.each([
    ['worker', ['leaving'], true],
    ['worker', ['etcd'], false],
    ['worker', [], false],
    ['etcd', ['etcd'], true],
    ['etcd', ['other'], false],
  ] as const)('begins with a group of the role %s and the hooks %j: %s', async (role, hookNames, begins) => {
    const members = [oldMember(1), oldMember(2)];
    const { pass, calls, seenOf } = passOver({
      rolls: [{ roll: rollOf(['workers'], resumed) }],
      members,
      hookNames,
      roles: { workers: role },
    });
    await pass();
    expect(calls.some((call) => call.startsWith('patch'))).toBe(begins);
    expect(seenOf('june')?.state).toBe(begins ? 'running' : 'paused');
  });

  test('replaces nothing that was launched after the roll began', async () => {
    const young = oldMember(1, { launch: { launchedAt: startedAt, ...launchOf(1) } });
    const { pass, calls, seenOf } = passOver({
      rolls: [{ roll: rollOf(['workers'], resumed) }],
      members: [young],
    });
    await pass();
    expect(calls).toEqual(['write june/seen']);
    expect(seenOf('june')).toMatchObject({ state: 'done' });
  });
});

describe('a roll that began before anything had read its pods', () => {
  const members = [oldMember(1), oldMember(2)];
  const unchecked = rollOf(['workers'], { ...resumed, podsUnchecked: true });
  const playedWith = async (facts: Omit<Facts, 'members'>) => {
    const { pass, calls, seenOf } = passOver({ members, ...facts });
    await pass();
    return { calls, seen: seenOf('june') };
  };

  test('stops before it changes anything if some cannot move, and names them', async () => {
    const { calls, seen } = await playedWith({ rolls: [{ roll: unchecked }], stranded: ['shop/db-0'] });
    expect(calls).toEqual(['read cluster', 'write june/seen']);
    expect(seen).toMatchObject({
      state: 'stopped',
      reason: expect.stringMatching(
        /^2 old nodes have pods that cannot move: .*shop\/db-0 on node-i-0+1 \(it would/,
      ),
    });
    expect(seen).not.toHaveProperty('podsChecked');
  });

  test('begins if all can, and does not look again', async () => {
    const { calls, seen } = await playedWith({ rolls: [{ roll: unchecked }] });
    expect(calls).toEqual(['read cluster', 'patch 1', 'patch 2', 'write june/seen']);
    expect(seen).toMatchObject({ state: 'running', podsChecked: true });
    const later = await playedWith({
      rolls: [{ roll: unchecked, seen: { podsChecked: true } }],
      stranded: ['shop/db-0'],
    });
    expect(later.calls).not.toContain('read cluster');
    expect(later.seen).toMatchObject({ state: 'running', podsChecked: true });
  });

  test('is looked at again once it is resumed', async () => {
    const { seen } = await playedWith({
      rolls: [
        {
          roll: { ...unchecked, resumedAt: now - 1 },
          seen: { state: 'stopped', since: now - 2, reason: 'one old node has pods that cannot move' },
        },
      ],
      stranded: ['shop/db-1'],
    });
    expect(seen).toMatchObject({
      state: 'stopped',
      since: now,
      reason: expect.stringContaining('shop/db-1'),
    });
  });

  test.each<[string, Omit<Facts, 'members'>, string]>([
    [
      'leaves such nodes to the end',
      { rolls: [{ roll: { ...unchecked, skipBlocked: true } }], stranded: ['shop/db-0'] },
      'running',
    ],
    [
      'is paused',
      { rolls: [{ roll: { ...unchecked, wanted: 'paused' } }], stranded: ['shop/db-0'] },
      'paused',
    ],
    [
      'has a group that is paused',
      { rolls: [{ roll: unchecked }], stranded: ['shop/db-0'], tags: { 'drover.dev/paused': 'true' } },
      'paused',
    ],
  ])('is not looked at while it %s', async (_what, facts, state) => {
    const { calls, seen } = await playedWith(facts);
    expect(calls).not.toContain('read cluster');
    expect(seen).toMatchObject({ state });
    expect(seen).not.toHaveProperty('podsChecked');
  });

  test('takes no step while the pods cannot be read, and says why', async () => {
    const { pass, calls, seenOf } = passOver({
      members,
      rolls: [{ roll: unchecked }],
      refuses: (call) => call === 'read cluster',
    });
    await expect(pass()).rejects.toThrow('read cluster is refused');
    expect(calls).toEqual(['write june/seen']);
    expect(seenOf('june')?.reason).toContain('read cluster is refused');
  });
});
