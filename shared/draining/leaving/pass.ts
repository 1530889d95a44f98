import type { LeavingNotice } from '../../lifecycle/notice.ts';
import { again, done, type Outcome } from '../../lifecycle/outcome.ts';
import { pausedReason, pauseOf } from '../../lifecycle/pause.ts';
import { leave } from './leave.ts';
import { lookAgainBeforeGone, removeNode, restoreIfLeftover } from './node-left-behind.ts';
import { type Sight, sight } from './sight.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

const settlingSeconds = 5;
const pausedSeconds = 20;

/**
 * One pass over one instance that is said to leave: reads the truth, does what can be done now, and says whether it is done
 * or when it wants to be woken again. It may be killed at any line and run again at any time.
 *
 * @throws what Auto Scaling, EC2 or the API server answered when they cannot be asked; nothing is concluded from that.
 */
export async function leavingPass(world: LeavingWorld, subject: LeavingSubject): Promise<Outcome> {
  try {
    return await takeSteps(world, subject);
  } catch (error) {
    // It may have failed because of what was remembered: another Node under the same name, say.
    world.memory.forget(subject.instanceId);
    throw error;
  }
}

async function takeSteps(world: LeavingWorld, subject: LeavingSubject): Promise<Outcome> {
  if (world.memory.recall(subject.instanceId)?.released && subject.notices.every(isAfterwards))
    return done('it was released moments ago');
  const seen = await sight(world, subject);
  const { situation } = seen;
  switch (situation.kind) {
    case 'stays':
      if (heldByPause(world, seen)) return done(situation.reason);
      return (await restoreIfLeftover(world, subject)) ?? done(situation.reason);
    case 'settling':
      return again(settlingSeconds, situation.reason);
    case 'missing':
      return await lookAgainBeforeGone(world, subject);
    case 'gone':
      return (
        heldByPause(world, seen) ?? (await removeNode(world, subject, { seen, reason: situation.reason }))
      );
    case 'waiting':
      return await leave(world, subject, { ...seen, waits: true, toWarmPool: situation.toWarmPool });
    case 'noticed':
      return await leave(world, subject, { ...seen, waits: false, toWarmPool: false });
  }
}

/** A pause holds back what is done afterwards too; an instance that waits has its heartbeats first (see leave.ts). */
function heldByPause({ clock }: LeavingWorld, { group }: Sight): Outcome | undefined {
  const pause = group && pauseOf(group.tags);
  if (!pause) return undefined;
  return again(pausedSeconds, pausedReason(pause, { now: clock.now(), limit: Infinity }), {
    waitsFor: 'pause',
  });
}

/** EC2 says of every released instance that it shuts down and has terminated. */
const isAfterwards = ({ cause }: LeavingNotice): boolean => cause === 'instance-gone';
