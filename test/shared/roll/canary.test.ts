import { describe, expect, it } from 'vitest';
import { rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { formatRollingMark } from '../../../shared/nodes/rolling-mark.ts';
import { type CanaryFacts, judgeCanary } from '../../../shared/roll/canary.ts';
import { at, daemon, facts, member, oldNode, pod, startedAt, waitsIn } from './group-facts.ts';

/** `passed`, or the verdict with its reason. */
const verdict = (more: Partial<CanaryFacts> = {}): string => {
  const found = judgeCanary(facts(more));
  return found.kind === 'passed' ? 'passed' : `${found.kind}: ${found.reason}`;
};

const twoCanaries = { startedAt, canary: 2, bakeSeconds: 300 };

describe('a canary', () => {
  it('is not needed by a roll without canaries', () => {
    expect(verdict({ roll: { startedAt, canary: 0, bakeSeconds: 300 }, newMembers: [] })).toBe('passed');
  });

  it('is waited for before it is launched', () => {
    expect(verdict({ newMembers: [] })).toBe('waits: 0 of 1 canaries have been launched');
    const [fresh] = facts().newMembers;
    expect(verdict({ roll: twoCanaries, newMembers: fresh ? [fresh] : [], now: at(100) })).toContain(
      'waits: 1 of 2 canaries',
    );
  });

  it.each([
    ['has not joined', member('fresh', { launched: 1, joined: false })],
    ['is not Ready', member('fresh', { launched: 1 })],
  ])('that %s is waited for until the join timeout, and fails then', (what, fresh) => {
    expect(verdict({ newMembers: [fresh], now: at(12.9) })).toContain(`waits: new node`);
    expect(verdict({ newMembers: [fresh], now: at(13) })).toMatch(new RegExp(`^failed: new node .*${what}`));
  });

  const late: readonly (readonly [string, Partial<CanaryFacts>])[] = [
    ['has not joined', { newMembers: [member('fresh', { launched: 1, joined: false })] }],
    ['is not Ready', { newMembers: [member('fresh', { launched: 1 })] }],
    ['waits for DaemonSet pod', { pods: [daemon('fresh', { started: 3 })] }],
    ['has not been for 720 s', { pods: [pod('fresh', { started: 8 }), pod('old-2', { ready: -500 })] }],
  ];

  it.each(late)('that %s has the join timeout again once people have resumed the roll', (what, more) => {
    const resumed = (resumedAt: number) => ({
      ...more,
      roll: { startedAt, canary: 1, bakeSeconds: 300, resumedAt },
    });
    expect(verdict({ ...resumed(at(24)), now: at(35.9) })).toMatch(/^waits: /);
    expect(verdict({ ...resumed(at(24)), now: at(36) })).toMatch(new RegExp(`^failed: .*${what}`));
    // A resume before its launch takes no time from it.
    expect(verdict({ ...resumed(at(0.5)), now: at(12.9) })).toMatch(/^waits: /);
  });

  it.each(late)(
    'that %s has the join timeout from the end of an outage of the API server on',
    (what, more) => {
      expect(verdict({ ...more, now: at(25) })).toMatch(new RegExp(`^failed: .*${what}`));
      expect(verdict({ ...more, unreadableUntil: at(14), now: at(25.9) })).toMatch(/^waits: /);
      expect(verdict({ ...more, unreadableUntil: at(14), now: at(26) })).toMatch(
        new RegExp(`^failed: .*${what}`),
      );
      // An outage before its launch takes no time from it.
      expect(verdict({ ...more, unreadableUntil: at(-30), now: at(25) })).toMatch(/^failed: /);
    },
  );

  it('may be a member of etcd without a kubelet, once it is in service', () => {
    const fresh = member('fresh', { launched: 1, joined: false });
    expect(verdict({ newMembers: [fresh], isEtcd: true, now: at(5) })).toContain('bakes until');
    expect(verdict({ newMembers: [fresh], isEtcd: true, now: at(100) })).toBe('passed');
    const pending = member('fresh', { launched: 1, joined: false, lifecycleState: 'Pending:Wait' });
    expect(verdict({ newMembers: [pending], isEtcd: true, now: at(100) })).toContain('has not joined');
  });

  it('need not be followed by others if its group has no old instance left', () => {
    expect(verdict({ roll: twoCanaries, isReplaced: true })).toContain('waits: new node fresh bakes until');
    expect(verdict({ roll: twoCanaries, isReplaced: true, now: at(100) })).toBe('passed');
    const newMembers = [member('fresh', { launched: 1, ready: 3, lifecycleState: 'Standby' })];
    expect(verdict({ newMembers, isReplaced: true })).toBe('passed');
  });

  it('is compared with the old nodes of other groups of its role', () => {
    const group = { oldMembers: [], oldPeers: [oldNode('old-1')], isReplaced: true };
    const unready = daemon('fresh', { started: 3 });
    expect(verdict({ ...group, pods: [daemon('old-1', { started: -500 }), unready] })).toContain(
      'bakes until',
    );
    expect(verdict({ ...group, pods: [daemon('old-1', { ready: -500 }), unready] })).toContain(
      'waits for DaemonSet',
    );
    const crashing = pod('fresh', { started: 3, container: waitsIn('CrashLoopBackOff', 5) });
    expect(verdict({ ...group, pods: [pod('old-1', { ready: -500 }), crashing] })).toMatch(
      /^failed: .*crash/i,
    );
  });

  it('does not wait for the pods of old nodes of other groups', () => {
    const oldPeers = [oldNode('old-1', 'Terminating:Wait')];
    const pods = [pod('old-1', { ready: -500 })];
    expect(verdict({ oldMembers: [], oldPeers, isReplaced: true, pods, now: at(60) })).toBe('passed');
  });

  it('is not an instance that leaves, is in Standby or in the warm pool', () => {
    for (const lifecycleState of ['Terminating:Wait', 'Standby', 'Warmed:Stopped'])
      expect(
        verdict({ newMembers: [member('fresh', { launched: 1, ready: 3, lifecycleState })], now: at(100) }),
      ).toContain('0 of 1 canaries');
  });
});

describe('the DaemonSets of a canary', () => {
  const unready = daemon('fresh', { started: 3 });

  it('are waited for until the join timeout, and fail it then', () => {
    const pods = [daemon('old-1', { ready: -500 }), unready];
    expect(verdict({ pods })).toBe('waits: new node fresh waits for DaemonSet pod shop/cni-fresh');
    expect(verdict({ pods, now: at(15) })).toContain('failed: new node fresh waits for DaemonSet pod');
  });

  it('have the join timeout again after an update of the DaemonSet', () => {
    expect(verdict({ pods: [daemon('fresh', { started: 60 })], now: at(61) })).toContain('waits:');
  });

  it('do not count if they are not Ready on old nodes either', () => {
    expect(verdict({ pods: [daemon('old-1', { started: -500 }), unready] })).toContain('bakes until');
  });
});

describe('the bake', () => {
  it('begins when the first pod is Ready on the canary, not when its DaemonSets are', () => {
    const pods = [
      daemon('fresh', { ready: 3 }),
      pod('fresh', {
        name: 'etcd',
        ready: 3,
        kind: 'Node',
        annotations: { 'kubernetes.io/config.mirror': 'x' },
      }),
      pod('fresh', { name: 'one', ready: 10 }),
      pod('fresh', { name: 'two', ready: 12 }),
    ];
    expect(verdict({ pods, now: at(14) })).toBe('waits: new node fresh bakes until 2026-11-29T08:15:00.000Z');
    expect(verdict({ pods, now: at(15) })).toBe('passed');
  });

  it('begins with a pod that has finished since', () => {
    const done = pod('fresh', { kind: 'Job', of: 'import', started: 5, phase: 'Succeeded' });
    expect(verdict({ pods: [done], now: at(10) })).toBe('passed');
  });

  it('waits while an old node that leaves has pods to evict', () => {
    const oldMembers = [oldNode('old-1', 'Terminating:Wait'), oldNode('old-2')];
    const pods = [pod('old-1', { ready: -500 })];
    expect(verdict({ oldMembers, pods, now: at(60) })).toBe(
      'waits: new node fresh waits for the pods of old node old-1',
    );
    expect(verdict({ oldMembers, pods: [daemon('old-1', { ready: -500 })], now: at(60) })).toBe('passed');
  });

  it('does not wait for pods of an old node that have finished', () => {
    const oldMembers = [oldNode('old-1', 'Terminating:Wait')];
    const pods = [pod('old-1', { kind: 'Job', of: 'import', phase: 'Succeeded' })];
    expect(verdict({ oldMembers, pods, now: at(60) })).toBe('passed');
  });

  it('waits for the pods of an old node with the mark of a roll', () => {
    const mark = { roll: 'june', at: '2026-11-29T08:01:00Z', waits: true, wasCordoned: false };
    const old = oldNode('old-1');
    const node = {
      ...old.node,
      metadata: { name: 'old-1', annotations: { [rollingAnnotation]: formatRollingMark(mark) } },
    };
    const pods = [pod('old-1', { ready: -500 })];
    expect(verdict({ oldMembers: [{ ...old, node }], pods, now: at(60) })).toContain('waits for the pods of');
  });

  it('waits while pods start on the canary', () => {
    expect(verdict({ pods: [pod('fresh', { started: 8 })], now: at(9) })).toContain(
      'waits until a pod on it is Ready, such as shop/web-fresh',
    );
  });

  it('fails if none becomes Ready, but pods like it are Ready on old nodes', () => {
    const never = pod('fresh', { started: 8 });
    expect(verdict({ pods: [never, pod('old-2', { ready: -500 })], now: at(20) })).toContain(
      'failed: no pod is Ready on new node fresh: shop/web-fresh has not been for 720 s',
    );
    expect(verdict({ pods: [never, pod('old-2', { started: -500 })], now: at(20) })).toBe('passed');
    expect(verdict({ pods: [pod('fresh', { started: 8, of: null })], now: at(20) })).toBe('passed');
  });

  it('counts from Ready of the node itself if no pod ever comes, as in an empty cluster', () => {
    expect(verdict({ now: at(7.9) })).toContain('bakes until 2026-11-29T08:08:00.000Z');
    expect(verdict({ now: at(8) })).toBe('passed');
  });

  it('is that of each canary', () => {
    const newMembers = [
      member('fresh', { launched: 1, ready: 3 }),
      member('fresh-2', { launched: 2, ready: 6 }),
    ];
    expect(verdict({ roll: twoCanaries, newMembers, now: at(10) })).toContain('fresh-2 bakes until');
    expect(verdict({ roll: twoCanaries, newMembers, now: at(11) })).toBe('passed');
  });

  it('is not repeated for nodes that are launched after it', () => {
    const newMembers = [member('fresh-2', { launched: 11 }), member('fresh', { launched: 1, ready: 3 })];
    expect(verdict({ newMembers, now: at(60) })).toBe('passed');
  });

  it('of the first new nodes decides, not a later one that does not join', () => {
    const newMembers = [member('late', { launched: 4 }), member('fresh', { launched: 1, ready: 3 })];
    const pods = [pod('fresh', { ready: 18 })];
    expect(verdict({ newMembers, pods, now: at(20) })).toContain('waits: new node fresh bakes until');
  });

  it('is done by another new node if the first one is gone', () => {
    expect(verdict({ newMembers: [member('fresh-2', { launched: 11, ready: 12 })], now: at(13) })).toContain(
      'fresh-2 bakes until',
    );
  });
});

describe('a roll fails', () => {
  /** Even after its canary has passed. */
  const later = { now: at(60) };

  it('by a pod that crash-loops on a new node only', () => {
    const pods = [
      pod('old-2', { ready: -500 }),
      pod('fresh', { started: 5, container: waitsIn('CrashLoopBackOff') }),
    ];
    expect(verdict({ ...later, pods })).toContain(
      'failed: pod shop/web-fresh on new node fresh is in CrashLoopBackOff',
    );
  });

  it('not by one that crash-loops on an old node', () => {
    const pods = [pod('old-2', { ready: -500 }), pod('old-1', { container: waitsIn('CrashLoopBackOff') })];
    expect(verdict({ ...later, pods })).toBe('passed');
  });
});
