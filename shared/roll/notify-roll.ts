import type { Notification, NotificationFacts, Notify } from '../notifications/notification.ts';
import type { Roll, RollSeen } from './roll.ts';
import type { CanaryVerdict } from './step.ts';

/** A roll after a step. */
export interface RollMoment {
  readonly roll: Pick<Roll, 'name' | 'groups' | 'startedAt' | 'canary' | 'wanted'>;
  /** As it is to be written, with what was notified before. */
  readonly seen: RollSeen;
  /** How many old instances are left. */
  readonly left: number;
  /** By group. */
  readonly canaries: ReadonlyMap<string, CanaryVerdict>;
}

/**
 * Notifies people of what has become of a roll and was not notified yet.
 *
 * @returns `told` of the roll, with what EventBridge has accepted now. The next pass tries the others again.
 */
export async function notifyRoll(notify: Notify, moment: RollMoment): Promise<readonly string[]> {
  const { told } = moment.seen;
  const due = rollNotifications(moment).filter((notification) => !told.includes(keyOf(notification)));
  const results = await Promise.all(
    due.map(async (notification) => ({ notification, result: await notify(notification) })),
  );
  const sent = results.flatMap(({ notification, result }) =>
    result === 'failed' ? [] : [keyOf(notification)],
  );
  return [...told.filter((key) => !sent.some((other) => kindIn(other) === kindIn(key))), ...sent];
}

/** What `told` has of a notification: its kind, and for what may happen again the time of its last occurrence. */
const keyOf = ({ kind, occurrence }: Notification): string =>
  kind === 'roll-held' || kind === 'roll-stopped' ? `${kind}/${occurrence.split('/').at(-1)}` : kind;

const kindIn = (key: string): string | undefined => key.split('/')[0];

/** An arrow would become a bracket in a chat. */
const inWords = (reason: string): string => reason.replaceAll(' -> ', ' to ');

/** What people should know of a roll in this state. Pure. */
export function rollNotifications({ roll, seen, left, canaries }: RollMoment): readonly Notification[] {
  const { name, groups, startedAt, wanted } = roll;
  const [first, ...more] = groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const onlyGroup = more.length === 0 ? first : undefined;
  const title = `roll ${name} of ${onlyGroup === undefined ? `${groups.length} groups` : `group ${onlyGroup}`}`;
  const old = left === 1 ? 'one old node' : `${left} old nodes`;
  const of = (
    kind: Notification['kind'],
    message: string,
    { since = startedAt, group = onlyGroup }: { readonly since?: number; readonly group?: string } = {},
  ): Notification => {
    const facts: NotificationFacts = {
      ...(group !== undefined && { autoScalingGroupName: group }),
      roll: name,
    };
    return { kind, occurrence: `${name}/${new Date(since).toISOString()}`, message, facts };
  };
  const { since } = seen;
  switch (seen.state) {
    case 'running': {
      const served =
        roll.canary > 0 ? [...canaries].find(([, { kind }]) => kind === 'passed')?.[0] : undefined;
      return [
        of('roll-began', `${title} has begun, and replaces ${left === 1 ? 'one node' : `${left} nodes`}`),
        ...(served === undefined
          ? []
          : [
              of('roll-canary', `the canary of roll ${name} serves in group ${served}, and ${old} follow`, {
                group: served,
              }),
            ]),
      ];
    }
    case 'paused':
      return wanted === 'paused'
        ? []
        : [of('roll-held', `${title} is held: ${inWords(seen.reason)}`, { since })];
    case 'stopped':
      return [
        of('roll-stopped', `${title} has stopped, with ${old} left: ${inWords(seen.reason)}`, { since }),
      ];
    case 'aborted':
      return [of('roll-stopped', `${title} is aborted, with ${old} left`, { since })];
    case 'done':
      return [of('roll-done', `${title} is done`)];
  }
}
