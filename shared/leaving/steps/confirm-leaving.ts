import { again, done, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import { pausedReason, pauseOf } from '../../passes/pause.ts';
import type { Noted } from '../../passes/steps.ts';
import type { LeavingContext } from '../context.ts';
import { confirmMissing, deleteOrphanedNode, uncordonLeftoverNode } from '../leftover-node.ts';
import { uncordonReturnedNode } from '../returned-node.ts';
import type { Leaving, Observed, Started } from '../state.ts';

const settlingSeconds = 5;

/**
 * Only an instance that waits on its terminating hooks, or that runs with a notice that is a reason to leave (EC2 takes it back,
 * a Health notice, a rebalance recommendation that its group follows), goes on to the next steps.
 */
export async function confirmLeaving(
  context: LeavingContext,
  { subject, observation, notes }: Started & Observed,
): Promise<Outcome | (Leaving & Noted)> {
  const { situation, settings, instance, managedGroup: group, ec2, tagProblems } = observation;
  const pause = group && pauseOf(group.tags);
  switch (situation.kind) {
    case 'stays':
      if (pause) return done(situation.reason);
      return (
        (await uncordonReturnedNode(context, subject, instance)) ??
        (await uncordonLeftoverNode(context, subject)) ??
        done(situation.reason)
      );
    case 'settling':
      return again(settlingSeconds, situation.reason);
    case 'missing':
      return await confirmMissing(context, subject);
    case 'gone': {
      if (!pause) {
        const { reason } = situation;
        return await deleteOrphanedNode(context, subject, { isManaged: group !== undefined, reason });
      }
      const reason = pausedReason(pause, { now: context.clock.now(), limit: Infinity });
      return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
    }
    case 'waiting':
    case 'noticed': {
      if (!instance || !group) throw new TypeError('an instance that leaves is in a managed group');
      const waits = situation.kind === 'waiting';
      const toWarmPool = waits && situation.toWarmPool;
      const keepsNode = waits && situation.keepsNode;
      return {
        instance,
        group,
        settings,
        ec2,
        waits,
        toWarmPool,
        keepsNode,
        notes: [...notes, ...tagProblems],
      };
    }
  }
}
