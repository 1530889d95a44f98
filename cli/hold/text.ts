import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { durationText } from '../durations.ts';

/** For programs. */
export const holdJson = ({ autoScalingGroupName, until, createdAt, endedAt, ...hold }: Hold) => ({
  group: autoScalingGroupName,
  ...hold,
  until: new Date(until).toISOString(),
  ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
  ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
});

/** `hold sale of workers: at least 6 nodes until 2026-11-24T18:00:00.000Z (2h)`. */
export const holdText = (
  { autoScalingGroupName, name, nodes, until, raiseMaxSize }: Hold,
  now: number,
): string =>
  `hold ${name} of ${autoScalingGroupName}: at least ${nodes} ${nodes === 1 ? 'node' : 'nodes'} until ${new Date(until).toISOString()} (${leftText(until, now)})${raiseMaxSize ? ', raising MaxSize' : ''}`;

export const leftText = (until: number, now: number): string =>
  durationText(Math.round((until - now) / 1000));
