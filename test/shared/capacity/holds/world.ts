import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import type { HoldContext } from '../../../../shared/capacity/holds/context.ts';
import { formatHold, type Hold } from '../../../../shared/capacity/holds/hold.ts';
import {
  floorParameterOf,
  holdParameterOf,
  holdPathsOf,
} from '../../../../shared/capacity/holds/parameters.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { notifyNothing } from '../../../../shared/notifications/notification.ts';
import { group as groupWith, start } from './fixtures.ts';

export const paths = holdPathsOf('drover');

/** The function was killed, or AWS refused the call. */
export class Struck extends Error {}

/**
 * A group and its parameters in memory. Reads of the group and of its record can be older than the last change, as in Auto Scaling and
 * Parameter Store, and each call can fail before or after its effect.
 */
export function createHoldWorld() {
  const texts = new Map<string, string>();
  const clock = createVirtualClock(start);
  const history: { readonly at: number; readonly group: AutoScalingGroup }[] = [
    { at: start, group: groupWith() },
  ];
  let isLost = false;
  let staleSeconds = 0;
  let staleRecordSeconds = 0;
  const textsBefore: { readonly until: number; readonly texts: ReadonlyMap<string, string> }[] = [];
  let strike: { calls: number; readonly after: boolean } | undefined;

  const group = (): AutoScalingGroup => history.at(-1)?.group ?? groupWith();
  const seen = (): AutoScalingGroup =>
    history.findLast(({ at }) => at <= clock.now() - staleSeconds * 1000)?.group ?? group();

  /** Only reads may be stale. Whether a parameter exists is always decided on the current state. */
  const seenTexts = (): ReadonlyMap<string, string> =>
    textsBefore.find(({ until }) => until > clock.now() - staleRecordSeconds * 1000)?.texts ?? texts;
  const changeTexts = (change: () => void): void => {
    textsBefore.push({ until: clock.now(), texts: new Map(texts) });
    change();
  };

  const call = async <Answer>(effect: () => Answer): Promise<Answer> => {
    if (strike) strike.calls -= 1;
    const strikes = strike !== undefined && strike.calls < 0;
    if (strikes && !strike?.after) throw new Struck();
    const answer = effect();
    if (strikes) throw new Struck();
    return answer;
  };

  /** As Auto Scaling does: the desired capacity moves to the nearer bound. */
  const setBounds = (bounds: Partial<Pick<AutoScalingGroup, 'minSize' | 'maxSize'>>): void => {
    const next = { ...group(), ...bounds };
    if (next.minSize > next.maxSize) throw new Error('Max bound must be greater than or equal to min bound');
    const desiredCapacity = Math.max(next.minSize, Math.min(next.desiredCapacity, next.maxSize));
    history.push({ at: clock.now(), group: { ...next, desiredCapacity } });
  };

  const context: HoldContext & { readonly clock: typeof clock } = {
    clock,
    clusterName: 'drover',
    notify: notifyNothing,
    maxSizeLimit: 100,
    paths,
    parameters: {
      listBelow: (path) => call(() => new Map([...texts].filter(([name]) => name.startsWith(`${path}/`)))),
      read: (name) => call(() => seenTexts().get(name)),
      create: (name, text) =>
        call(() => {
          if (texts.has(name)) return false;
          changeTexts(() => texts.set(name, text));
          return true;
        }),
      write: (name, text) => call(() => changeTexts(() => texts.set(name, text))),
      remove: (name) => call(() => changeTexts(() => texts.delete(name))),
    },
    groups: {
      listGroups: () => call(() => (isLost ? [] : [seen()])),
      describeGroup: () => call(() => (isLost ? undefined : seen())),
      setBounds: (_name, bounds) => call(() => setBounds(bounds)),
    },
  };

  return {
    context,
    clock,
    texts,
    group,
    /** A change of the group by another tool. */
    change: (changes: Partial<AutoScalingGroup>) =>
      history.push({ at: clock.now(), group: { ...group(), ...changes } }),
    /** The group is deleted. */
    lose: () => {
      isLost = true;
    },
    hold: (hold: Hold) => changeTexts(() => texts.set(holdParameterOf(paths, hold), formatHold(hold))),
    end: (name: string) =>
      changeTexts(() => texts.delete(holdParameterOf(paths, { autoScalingGroupName: 'workers', name }))),
    recordText: () => texts.get(floorParameterOf(paths, 'workers')),
    /** The result of work that may wait: time passes until it has ended. */
    finished: async <Value>(work: Promise<Value>): Promise<Value> => {
      const running = Symbol('running');
      const turn = (): Promise<typeof running> =>
        new Promise((resolve) => {
          setImmediate(() => resolve(running));
        });
      for (let turns = 0; (await Promise.race([work, turn()])) === running; turns += 1) {
        if (turns === 2000) throw new Error('the work waits for something that never comes');
        clock.step(Infinity);
      }
      return await work;
    },
    passSeconds: (seconds: number) => {
      const until = clock.now() + seconds * 1000;
      let more = true;
      while (more) more = clock.step(until);
      clock.moveTo(until);
    },
    setStaleSeconds: (seconds: number) => {
      staleSeconds = seconds;
    },
    setStaleRecordSeconds: (seconds: number) => {
      staleRecordSeconds = seconds;
    },
    strikeAfter: (calls: number | undefined, { after = false } = {}) => {
      strike = calls === undefined ? undefined : { calls, after };
    },
  };
}
