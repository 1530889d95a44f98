import { messageOf } from '../../base/message-of.ts';
import type { ScheduledHold } from '../schedules/plan.ts';
import type { HoldContext } from './context.ts';
import { formatHold } from './hold.ts';
import { holdParameterOf } from './parameter-names.ts';

/** The holds that stand after the schedules had theirs made, as the texts of their parameters. */
export interface MadeHolds {
  readonly texts: ReadonlyMap<string, string>;
  readonly made: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Makes the holds of schedules that do not stand yet. A parameter is made without overwriting, so that of two looks at once one
 * makes it, and a hold that a person has extended stays as it is.
 */
export async function makeDueHolds(
  { parameters, paths }: Pick<HoldContext, 'parameters' | 'paths'>,
  {
    due,
    texts,
    now,
  }: {
    readonly due: readonly ScheduledHold[];
    readonly texts: ReadonlyMap<string, string>;
    readonly now: number;
  },
): Promise<MadeHolds> {
  const all = new Map(texts);
  const made: string[] = [];
  const problems: string[] = [];
  await Promise.all(
    due.map(async (hold) => {
      const parameter = holdParameterOf(paths, hold);
      if (all.has(parameter)) return;
      const text = formatHold({ ...hold, createdAt: now });
      try {
        if (!(await parameters.create(parameter, text))) return;
        all.set(parameter, text);
        made.push(hold.name);
      } catch (error) {
        problems.push(`hold ${hold.name} of ${hold.by} cannot be made: ${messageOf(error)}`);
      }
    }),
  );
  return { texts: all, made, problems };
}
