import type * as z from 'zod/mini';
import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import { readDefinition, type ScheduleRecord } from '../../shared/capacity/schedules/schedule.ts';
import type {
  schedule as apiSchedule,
  listedSchedule,
} from '../../shared/scale-api/schemas/answers/schedule.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import { podRequestBody, podsOf } from '../scale-api/pods.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { type ScheduleBody, type ScheduleRequests, scheduleRequests } from '../scale-api/schedules.ts';
import type {
  ChangedSchedule,
  ChangeOptions,
  CreatedSchedule,
  ListedSchedule,
  SchedulePreview,
  Schedules,
  ShownSchedule,
} from './schedules.ts';

/** The schedules of the cluster, through the scale API. A refused request rejects with a ScaleApiError. */
export function schedulesOverApi(flags: AccessFlags, context: CliContext): Schedules {
  const api = scheduleRequests(requesterOf(flags, context));
  return {
    list: async () => (await api.list()).map(listed),
    preview: async (name, count) => previewed(await api.read(name, count)),
    create: async (record, options) => {
      const { change, ...made } = await api.put(record.name, bodyOf(record), options);
      return { change: createdBy(change), ...previewed(made) };
    },
    change: async (change, name, options) => {
      if (change === 'delete')
        return await remove(api, name, options).catch((error: unknown) => {
          if (options.ofSet === undefined || !isProblem(error, 'schedule-not-found')) throw error;
          return { isChanged: true, autoScalingGroupName: undefined };
        });
      const changed = await api.patch(name, { paused: change === 'pause' }, options);
      const { autoScalingGroupName } = changed;
      return { isChanged: changed.change !== 'unchanged', autoScalingGroupName };
    },
  };
}

const isProblem = (error: unknown, problem: string): boolean =>
  error instanceof ScaleApiError && error.problem === problem;

/** The group of a schedule that cannot be read is unknown. */
async function remove(
  api: ScheduleRequests,
  name: string,
  { ofSet, ...options }: ChangeOptions,
): Promise<ChangedSchedule> {
  const before = await api.read(name, 1).catch((error: unknown) => {
    if (isProblem(error, 'invalid-schedule')) return undefined;
    throw error;
  });
  if (ofSet !== undefined && before?.set !== ofSet)
    return { isChanged: false, autoScalingGroupName: before?.autoScalingGroupName };
  await api.remove(name, options);
  return { isChanged: true, autoScalingGroupName: before?.autoScalingGroupName };
}

/** @throws CliError for a definition that the API would not accept. */
function bodyOf({ expression, timeZone, input }: ScheduleRecord): ScheduleBody {
  const reading = readDefinition(input);
  if (reading.kind === 'unreadable') throw new CliError(`the schedule: ${reading.why}`, exitCodes.failed);
  const { by: _by, exceptions, nodes, pods, ...definition } = reading.definition;
  const asked = pods ? { pods: podRequestBody(pods) } : { nodes };
  return { ...definition, ...asked, exceptions: [...exceptions], expression, timeZone };
}

/** A PUT has no other results. */
const createdBy = (change: string): CreatedSchedule['change'] =>
  change === 'created' || change === 'replaced' ? change : 'unchanged';

type ApiSchedule = z.infer<typeof apiSchedule>;

function shown({
  by,
  set,
  pods,
  ...schedule
}: Omit<ApiSchedule, 'leadSeconds' | 'occurrences' | 'problem'>): ShownSchedule {
  return {
    ...schedule,
    ...(pods && { pods: podsOf(pods) }),
    ...(by !== undefined && { by }),
    ...(set !== undefined && { set }),
  };
}

function previewed({ leadSeconds, occurrences, problem, ...schedule }: ApiSchedule): SchedulePreview {
  return { schedule: shown(schedule), leadSeconds, occurrences: occurrences.map(occurrence), problem };
}

function occurrence(one: ApiSchedule['occurrences'][number]): PreviewedOccurrence {
  if (one.kind !== 'hold') return one;
  const { madeAt, readyAt, until, ...rest } = one;
  return { ...rest, madeAt: Date.parse(madeAt), readyAt: Date.parse(readyAt), until: Date.parse(until) };
}

function listed(one: z.infer<typeof listedSchedule>): ListedSchedule {
  if (one.state === 'unreadable') return { kind: 'unreadable', name: one.name, why: one.reason };
  const { state: _state, next, problem, ...schedule } = one;
  return {
    kind: 'schedule',
    schedule: shown(schedule),
    next: next === undefined ? next : Date.parse(next),
    problem,
  };
}
