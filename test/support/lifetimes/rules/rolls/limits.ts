import type { Roll } from '../../../../../shared/roll/roll.ts';
import type { Call } from '../../watch/call.ts';
import { residentOf } from '../facts.ts';
import type { Finding, Rule, View } from '../rule.ts';
import { isRollMark, isTaking, passMilliseconds, rollsOf } from './facts.ts';

/** What forbids all rolls of its group to mark a Node, or to replace its instance. */
const unlessAllowed =
  (isForbidden: (roll: Roll, view: View) => boolean, why: string): NonNullable<Rule['onCall']> =>
  (call: Call, view): Finding => {
    if (!isTaking(call) && !isRollMark(call)) return undefined;
    const rolls = rollsOf(residentOf(view, call)?.autoScalingGroupName ?? '', view);
    return rolls.length > 0 && rolls.every((roll) => isForbidden(roll, view))
      ? `${call.what} for ${rolls.map(({ name }) => name).join(' or ')}, ${why}`
      : undefined;
  };

const minuteMilliseconds = 60_000;

export const rollsKeepTheirWindows: Rule = {
  name: 'rolls-keep-their-windows',
  sentence: 'A roll marks and replaces nothing while its window is closed.',
  onCall: unlessAllowed(
    ({ window }, { now }) => window !== undefined && isClosedSince(window, now - passMilliseconds, now),
    'whose window is closed',
  ),
};

/** Spans last for minutes, so one check in half a minute is enough. */
function isClosedSince(window: string, since: number, now: number): boolean {
  for (let at = since; at < now; at += minuteMilliseconds / 2) if (!isClosed(window, at)) return false;
  return isClosed(window, now);
}

/** For spans of the day in UTC, such as `08:05-08:10; 23:00-01:00`. */
function isClosed(window: string, at: number): boolean {
  const minute = Math.floor(at / minuteMilliseconds) % 1440;
  return [...window.matchAll(/(\d\d):(\d\d)-(\d\d):(\d\d)/g)].every((found) => {
    const [hour = 0, begin = 0, endHour = 0, endMinute = 0] = found.slice(1).map(Number);
    const [opens, closes] = [hour * 60 + begin, endHour * 60 + endMinute];
    return opens < closes ? minute < opens || minute >= closes : minute < opens && minute >= closes;
  });
}

export const alarmsStopRolls: Rule = {
  name: 'alarms-stop-rolls',
  sentence: 'A roll marks and replaces nothing while its alarm is raised.',
  onCall: unlessAllowed(
    ({ stopOn }, { rolls, now }) => stopOn.length > 0 && rolls.isRaisedSince(now - passMilliseconds),
    'whose alarm is raised',
  ),
};
