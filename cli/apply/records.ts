import { readConfig } from '../../shared/runtime/config.ts';
import { status } from '../../shared/scale-api/schemas/answers/status.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import { callerOf } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import { holdsOf } from '../hold/holds.ts';
import { changedHold } from '../hold/text.ts';
import { environmentOf, hostOf } from '../host.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { schedulesOf } from '../schedule/schedules.ts';
import type { Declared } from './declared.ts';
import { type LiveRecords, recordOf, type Undeclared } from './plan.ts';

interface Options {
  /** Makes every check and changes nothing. */
  readonly dryRun: boolean;
}

/** The holds and schedules of a cluster, with the checks and writers of `drover hold` and `drover schedule`. */
export interface Records {
  clusterName(): Promise<string>;
  read(): Promise<LiveRecords>;
  /** @throws CliError or ScaleApiError with the reason if the record is refused. */
  put(declared: Declared, options: Options & { readonly replace: boolean }): Promise<void>;
  /** Whether the record is gone. False if it is no longer of its set, as it is read right before: then it is left. */
  remove(record: Undeclared): Promise<boolean>;
}

/** Chooses the access by the flags: AWS, or the scale API. */
export async function recordsOf(flags: AccessFlags, context: CliContext): Promise<Records> {
  const [holds, schedules] = await Promise.all([holdsOf(flags, context), schedulesOf(flags, context)]);
  const viaApi = usesScaleApi(flags);
  let maker: Promise<string> | undefined;
  // The scale API adds its caller itself.
  const by = async (): Promise<string | undefined> =>
    viaApi ? undefined : await (maker ??= callerOf(flags, context, 'each schedule'));
  return {
    clusterName: async () =>
      viaApi
        ? (await requesterOf(flags, context).get('/status', status)).clusterName
        : readConfig(hostOf(context, environmentOf(flags, context)).environment, ['clusterName']).clusterName,
    read: async () => {
      const [liveHolds, liveSchedules] = await Promise.all([holds.read(), schedules.list()]);
      return { holds: liveHolds, schedules: liveSchedules };
    },
    put: async (declared, options) => {
      if (declared.kind === 'schedule') {
        await schedules.create(recordOf(declared, await by()), { ...options, count: 1 });
        return;
      }
      const { kind: _kind, at: _at, until, ...requested } = declared;
      const change = await holds.create({ ...requested, end: { until } }, options);
      changedHold(change, declared, context.clock.now());
    },
    remove: async ({ kind, autoScalingGroupName, name, set }) => {
      const options = { dryRun: false, ofSet: set };
      if (kind === 'schedule') return (await schedules.change('delete', name, options)).isChanged;
      try {
        const ended = await holds.end({ autoScalingGroupName, name }, options);
        return ended.kind === 'ended' || ended.kind === 'missing';
      } catch (error) {
        if (error instanceof ScaleApiError && error.problem === 'hold-not-found') return true;
        throw error;
      }
    },
  };
}
