import { describe, expect, it } from 'vitest';
import { removeNode } from '../../../shared/leaving/remove-node.ts';
import { drain } from '../../../shared/leaving/steps/drain.ts';
import { tell, tellLeaving } from '../../../shared/leaving/tell.ts';
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

/** Passes over a marked Node with one held pod. The notifier remembers nothing: only the mark does. */
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
  it('is told before the first pod is deleted, once, with what held the pods', async () => {
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

  it('is told by a later round where EventBridge was away, also once the pods are gone, and once then', async () => {
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
  it('is told once by the mark, which keeps what was told before', async () => {
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

  it('is told as leaving by each pass until EventBridge takes it', async () => {
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
    'is told before its hook is completed with %s',
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
  it('is told before, since no pass would know of it afterwards', async () => {
    const { context, log } = createLeave();
    await removeNode(context, { instanceId, node: node(), autoScalingGroupName: 'workers' });
    expect(log).toEqual(['node-gone', 'delete node']);
  });
});

describe('the occurrence of a leave', () => {
  it('is another for another Node of the same name, and for another leave of the same Node', async () => {
    const { context, notifications } = createLeave();
    const since = new Date(startedAt).toISOString();
    const later = new Date(startedAt + 1).toISOString();
    const tellOf = (uid: string, at: string) =>
      tell(context, {
        kind: 'node-gone',
        node: nodeWith(uid),
        mark: { instanceId, since: at },
        what: 'has left',
      });
    await tellOf('uid-1', since);
    await tellOf('uid-2', since);
    await tellOf('uid-1', later);
    expect(notifications.map(({ occurrence }) => occurrence)).toEqual([
      `uid-1/${since}`,
      `uid-2/${since}`,
      `uid-1/${later}`,
    ]);
  });

  it('is named by the first notice of it, whichever others a pass has and whenever it marks the Node', async () => {
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
      await tellLeaving(context, {
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
