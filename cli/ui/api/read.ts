import type * as z from 'zod/mini';
import { inParts } from '../../../shared/base/batched.ts';
import type { TimerClock } from '../../../shared/base/clock.ts';
import type { schedule as scheduleSchema } from '../../../shared/scale-api/schemas/answers/schedule.ts';
import { passList, status } from '../../../shared/scale-api/schemas/answers/status.ts';
import { shownOccurrences } from '../../../ui/server/views/capacity.ts';
import type { CliContext } from '../../context.ts';
import { type Part, partReader } from '../../observation/part.ts';
import { type GroupSummary, type Instance, scaleApiOf } from '../../scale-api/client.ts';
import type { ScaleApiFlags } from '../../scale-api/flags.ts';
import { type ApiListedHold, holdRequests } from '../../scale-api/holds.ts';
import { requesterOf } from '../../scale-api/requester.ts';
import { type ApiRoll, rollRequests } from '../../scale-api/rolls.ts';
import { type ScheduleRequests, scheduleRequests } from '../../scale-api/schedules.ts';

/** Each schedule is a request. */
const schedulesAgeSeconds = 60;
const readAtOnce = 4;

export type ApiSchedule = z.infer<typeof scheduleSchema>;

export interface ApiSchedules {
  readonly schedules: readonly ApiSchedule[];
  /** Why others make no holds. */
  readonly problems: readonly string[];
}

/** The account and the cluster, as the scale API answered. */
export interface ApiReading {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly groups: Part<readonly GroupSummary[]>;
  readonly instances: Part<readonly Instance[]>;
  readonly holds: Part<readonly ApiListedHold[]>;
  readonly rolls: Part<readonly ApiRoll[]>;
  readonly schedules: Part<ApiSchedules>;
  readonly passes: Part<z.infer<typeof passList>>;
  readonly status: Part<z.infer<typeof status>>;
}

/**
 * Asks the scale API again and again.
 *
 * @throws CliError `usage` for an address or a region that is missing or wrong; nothing is asked yet.
 */
export function apiReader(flags: ScaleApiFlags, context: CliContext): () => Promise<ApiReading> {
  const { clock }: { readonly clock: TimerClock } = context;
  const requester = requesterOf(flags, context);
  const api = scaleApiOf(flags, context);
  const holds = holdRequests(requester);
  const rolls = rollRequests(requester);
  const schedules = scheduleRequests(requester);
  const readGroups = partReader({ clock }, () => api.listGroups());
  const readInstances = partReader({ clock }, () => api.listInstances());
  const readHolds = partReader({ clock }, () => holds.list(undefined));
  const readRolls = partReader({ clock }, () => rolls.list());
  const readSchedules = partReader({ clock, maximumAgeSeconds: schedulesAgeSeconds }, () =>
    schedulesOf(schedules),
  );
  const readPasses = partReader({ clock }, () => requester.get('/passes', passList));
  const readStatus = partReader({ clock }, () => requester.get('/status', status));
  return async () => {
    const [groups, instances, held, rolled, scheduled, passes, state] = await Promise.all([
      readGroups(),
      readInstances(),
      readHolds(),
      readRolls(),
      readSchedules(),
      readPasses(),
      readStatus(),
    ]);
    return {
      at: clock.now(),
      groups,
      instances,
      holds: held,
      rolls: rolled,
      schedules: scheduled,
      passes,
      status: state,
    };
  };
}

/** The list has no occurrences. */
async function schedulesOf(api: ScheduleRequests): Promise<ApiSchedules> {
  const listed = await api.list();
  const readable = listed.filter(({ state }) => state !== 'unreadable');
  const results = await inParts(readable, readAtOnce, ({ name }) => api.read(name, shownOccurrences));
  return {
    schedules: results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }),
    problems: listed.flatMap((one) =>
      one.state === 'unreadable' ? [`schedule ${one.name} makes no holds: ${one.reason}`] : [],
    ),
  };
}
