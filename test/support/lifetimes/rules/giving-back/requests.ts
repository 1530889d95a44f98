import { paths } from '../../../../../local/world/holds.ts';
import { readFloorRecord } from '../../../../../shared/capacity/holds/floor-record.ts';
import { floorParameterOf } from '../../../../../shared/capacity/holds/parameters.ts';
import { readGiveBack } from '../../../../../shared/groups/group-settings.ts';
import { residentOf, staleMilliseconds } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { isCordon, onGiveBack } from './give-back.ts';
import { isReservation } from './reservations.ts';

/** A request waits for at most five minutes, a pass takes one minute, and each of two clocks is wrong by at most 91 s. */
const requestMilliseconds = 300_000 + 60_000 + 2 * 91_000;

export const givesBackAsAsked: Rule = {
  name: 'gives-back-as-asked',
  sentence: 'A node is reserved and given back only if the tag of its group asks for it.',
  onCall: (call, view) => {
    if (call.kind !== 'give-back' && !(isReservation(call) && isCordon(call))) return undefined;
    const name = residentOf(view, call)?.autoScalingGroupName ?? '';
    const tags = view.census.tagsSince(name, view.now - staleMilliseconds);
    return tags.some((one) => readGiveBack(one).isOn)
      ? undefined
      : `${call.what}: ${name} does not ask for it`;
  },
};

export const givesBackAfterHolds: Rule = {
  name: 'gives-back-after-holds',
  sentence:
    'A node is given back only within an hour after the last hold of its group, and not while the group has a hold.',
  onCall: onGiveBack(({ autoScalingGroupName }, { world, capacity, now }) => {
    const active = capacity
      .holdsOf(autoScalingGroupName)
      .find(
        ({ from, changedAt, until }) =>
          Math.max(from, changedAt) + 2 * requestMilliseconds < now && now < until - requestMilliseconds,
      );
    if (active) return `while the hold ${active.name} is active`;
    const text = world.account.ssm.controls.value(floorParameterOf(paths, autoScalingGroupName));
    const record = readFloorRecord(text);
    return record.kind === 'record' && now - record.record.changedAt > 3_600_000 + requestMilliseconds
      ? `long after ${new Date(record.record.changedAt).toISOString()}, when its bounds were changed last`
      : undefined;
  }),
};
