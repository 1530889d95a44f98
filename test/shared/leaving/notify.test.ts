import { describe, expect, it } from 'vitest';
import { drain } from '../../../shared/leaving/drain.ts';
import {
  dueAfterRound,
  dueBeforeRound,
  notifyLeaving,
  notifyOfNode,
} from '../../../shared/leaving/notify.ts';
import { removeNode } from '../../../shared/leaving/release-instance.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import type { Notification, NotificationResult } from '../../../shared/notifications/notification.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node, pod } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const told = ['node-leaving'];
const action = {
  autoScalingGroupName: 'workers',
  lifecycleHookName: 'drover-node-leaving',
  instanceId,
};
const nodeWith = (uid: string) => ({ metadata: { name: 'node-1', uid } });

/** Passes over a marked Node with one held pod. The notifier remembers nothing; only the mark does. */
function createLeave(mark: Partial<LeavingMark> = {}) {
  const parts = createNodeContext(startedAt, node());
  const log: string[] = [];
  const notifications: Notification[] = [];
  const world = { result: 'sent' as NotificationResult, pods: [pod()], mark: markedAt(startedAt, mark) };
  const context = {
    ...parts.context,
    notify: async (notification: Notification) => {
      log.push(notification.kind);
      notifications.push(notification);
      return world.result;
    },
    autoScaling: {
      ...parts.context.autoScaling,
      complete: async () => {
        log.push('complete');
        return 'completed' as const;
      },
    },
    cluster: {
      ...parts.context.cluster,
      listPodsOnNode: async () => world.pods,
      listVolumeAttachments: async () => [],
      evictPod: async () => ({ kind: 'held' as const, message: 'The disruption budget web needs 1' }),
      deletePod: async () => {
        log.push('delete pod');
        return 'deleted' as const;
      },
      deleteNode: async () => {
        log.push('delete node');
        return 'deleted' as const;
      },
    },
  };
  const round = async ({
    late = false,
    onFailure = 'CONTINUE' as const,
    limit = Infinity,
  }: {
    readonly late?: boolean;
    readonly onFailure?: 'CONTINUE' | 'ABANDON';
    readonly limit?: number;
  } = {}) => {
    const state = leaveState({ noticedAt: startedAt, settings: parts.context.settings.defaults });
    const deadlines = late ? { deadline: startedAt, limit } : state.plan.deadlines;
    const outcome = await drain(context, {
      ...state,
      node: parts.node() ?? node(),
      mark: world.mark,
      plan: { ...state.plan, deadlines, onFailure, action },
    });
    world.mark = readLeavingMark(parts.node()?.metadata?.annotations) ?? world.mark;
    return outcome;
  };
  return { context, world, log, notifications, round, pass: parts.pass };
}

describe('a drain that forces pods', () => {
  it('is notified once, before the first pod is deleted, with what held the pods', async () => {
    const { round, log, notifications, world } = createLeave({
      told,
      waitingFor: ['default/web-1 (budget web)'],
    });
    world.pods = [pod({ metadata: { namespace: 'default', name: 'web-1', uid: 'web-1' } })];
    await round({ late: true });
    await round({ late: true });
    expect(log).toEqual(['drain-forced', 'delete pod', 'delete pod']);
    expect(notifications[0]).toMatchObject({
      message:
        'node node-1 has reached its deadline: one pod is deleted past the budgets, with the grace that fits',
      facts: { reasons: ['default/web-1 (budget web)'], autoScalingGroupName: 'workers', instanceId },
    });
    expect(world.mark).toMatchObject({ told: ['node-leaving', 'drain-forced'], podsForced: 1 });
  });

  it('is notified once by a later round if EventBridge was unavailable, even after the pods are gone', async () => {
    const { round, log, world } = createLeave({ told });
    world.result = 'failed';
    await round({ late: true });
    expect(world.mark).toMatchObject({ told, podsForced: 1 });
    world.result = 'sent';
    world.pods = [];
    expect(await round({ late: true })).toMatchObject({ podsLeft: [] });
    await round({ late: true });
    expect(log).toEqual(['drain-forced', 'delete pod', 'drain-forced']);
    expect(world.mark).toMatchObject({ told: ['node-leaving', 'drain-forced'] });
  });

  it('counts the pods of the round that forced most', async () => {
    const { round, notifications, world } = createLeave({ told });
    world.pods = ['a', 'b'].map((name) => pod({ metadata: { namespace: 'default', name, uid: name } }));
    world.result = 'failed';
    await round({ late: true });
    world.pods = world.pods.slice(1);
    await round({ late: true });
    expect(notifications.at(-1)?.message).toContain('2 pods are deleted');
    expect(notifications.at(-1)?.facts.reasons).toEqual(['default/b']);
    expect(world.mark).toMatchObject({ podsForced: 2 });
  });
});

describe('a drain whose pods are held', () => {
  it('is notified once: the mark records it, and keeps what was sent before', async () => {
    const { round, log, notifications, world, pass } = createLeave({ told });
    await round();
    pass(600);
    await round();
    pass(60);
    await round();
    expect(log).toEqual(['drain-held']);
    expect(notifications[0]?.message).toMatch(/^node node-1 still waits for held pods, the first is \S+ \(/);
    expect(world.mark.told).toEqual(['node-leaving', 'drain-held']);
  });

  it('is notified as leaving by each pass until EventBridge accepts it', async () => {
    const { round, log, world } = createLeave();
    world.result = 'failed';
    await round();
    world.result = 'sent';
    await round();
    await round();
    expect(log).toEqual(['node-leaving', 'node-leaving']);
    expect(world.mark.told).toEqual(told);
  });
});

describe('a drain that fails', () => {
  it.each(['CONTINUE', 'ABANDON'] as const)(
    'is notified before its hook is completed with %s',
    async (onFailure) => {
      const { round, log, notifications } = createLeave({ told: [...told, 'drain-forced'] });
      await round({ late: true, onFailure, limit: startedAt });
      const gone = onFailure === 'CONTINUE' ? ['node-gone', 'delete node'] : [];
      expect(log).toEqual(['delete pod', 'drain-failed', ...gone, 'complete']);
      expect(notifications[0]?.message).toMatch(
        /^node node-1 is not drained by its deadline: waits for one pod/,
      );
      expect(notifications[0]?.facts).toMatchObject({ nodeName: 'node-1', autoScalingGroupName: 'workers' });
    },
  );
});

describe('a Node that is deleted', () => {
  it('is notified before the deletion, because no pass would know of it afterwards', async () => {
    const { context, log } = createLeave();
    await removeNode(context, { instanceId, node: node(), autoScalingGroupName: 'workers' });
    expect(log).toEqual(['node-gone', 'delete node']);
  });
});

describe('the occurrence of a leave', () => {
  it('differs for another Node of the same name, and for another leave of the same Node', async () => {
    const { context, notifications } = createLeave();
    const since = new Date(startedAt).toISOString();
    const later = new Date(startedAt + 1).toISOString();
    const notifyGone = (uid: string, at: string) =>
      notifyOfNode(context, {
        kind: 'node-gone',
        node: nodeWith(uid),
        mark: { instanceId, since: at },
        what: 'has left',
      });
    await notifyGone('uid-1', since);
    await notifyGone('uid-2', since);
    await notifyGone('uid-1', later);
    expect(notifications.map(({ occurrence }) => occurrence)).toEqual([
      `uid-1/${since}`,
      `uid-2/${since}`,
      `uid-1/${later}`,
    ]);
  });

  it('is identified by its first notice, whichever notices a pass has and whenever it marks the Node', async () => {
    const { context, notifications } = createLeave();
    const notice = (seconds: number) => ({
      cause: 'terminating' as const,
      instanceId,
      noticedAt: new Date(startedAt + seconds * 1000).toISOString(),
    });
    for (const [seconds, notices] of [
      [5, [notice(0)]],
      [60, [notice(30), notice(0)]],
    ] as const)
      await notifyLeaving(context, {
        subject: { notices },
        plan: { cause: 'terminating' },
        node: nodeWith('uid-1'),
        mark: markedAt(startedAt + seconds * 1000),
        autoScalingGroupName: 'workers',
      });
    const occurrence = `uid-1/${new Date(startedAt).toISOString()}`;
    expect(notifications.map((one) => one.occurrence)).toEqual([occurrence, occurrence]);
  });
});

const since = Date.parse('2026-11-24T10:00:00Z');
const markWith = (told?: readonly string[]) => ({
  since: new Date(since).toISOString(),
  ...(told && { told: [...told] }),
});

describe('the notifications that are due before a round over the pods of a node', () => {
  const before = ({
    told,
    podsForced = 0,
    isEmpty = false,
  }: Partial<Parameters<typeof dueBeforeRound>[0]> & { readonly told?: readonly string[] }) =>
    dueBeforeRound({ mark: markWith(told), podsForced, isEmpty });

  it('include that the node leaves, if that was not sent when it began', () => {
    expect(before({})).toEqual(['node-leaving']);
    expect(before({ told: [] })).toEqual(['node-leaving']);
    expect(before({ told: ['node-leaving'] })).toEqual([]);
  });

  it('do not include that an empty node leaves, because its end follows at once', () => {
    expect(before({ isEmpty: true })).toEqual([]);
  });

  it('include once that pods are deleted past their budgets, even if the node is empty by now', () => {
    expect(before({ podsForced: 1, told: ['node-leaving'] })).toEqual(['drain-forced']);
    expect(before({ podsForced: 1 })).toEqual(['node-leaving', 'drain-forced']);
    expect(before({ podsForced: 1, isEmpty: true })).toEqual(['drain-forced']);
    expect(before({ podsForced: 9, told: ['node-leaving', 'drain-forced'] })).toEqual([]);
  });
});

describe('the notifications that are due after a round over the pods of a node', () => {
  const after = (parts: {
    readonly now?: number;
    readonly podsHeld?: number;
    readonly told?: readonly string[];
  }) =>
    dueAfterRound({
      now: since + 600_000,
      mark: markWith(parts.told),
      podsHeld: 1,
      heldAfterSeconds: 600,
      ...parts,
    });

  it('are none while pods leave, however long they take', () => {
    expect(after({ now: since + 6_000_000, podsHeld: 0 })).toEqual([]);
  });

  it('include held pods once the drain has lasted the configured time, and not a millisecond earlier', () => {
    expect(after({ now: since + 599_999 })).toEqual([]);
    expect(after({})).toEqual(['drain-held']);
    expect(after({ told: ['node-leaving'] })).toEqual(['drain-held']);
  });

  it('include held pods only once', () => {
    expect(after({ told: ['node-leaving', 'drain-held'] })).toEqual([]);
  });
});
