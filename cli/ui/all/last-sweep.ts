import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { inParts } from '../../../shared/base/batched.ts';
import type { CliContext } from '../../context.ts';
import { logGroupOf } from '../../events/functions.ts';
import { reasonOf } from '../../reason-of.ts';
import { readLines } from '../../report/read-lines.ts';

/** When Drover last swept the nodes of a cluster; null if it did not in the last hour. */
export type Sweep =
  | { readonly kind: 'known'; readonly at: number | null }
  | { readonly kind: 'unknown'; readonly reason: string };

const hour = 3_600_000;
/** The account and region have few FilterLogEvents a second. */
const readAtOnce = 2;

/** Reads when each deployment last swept: a call for each. Its sweep writes a line every five minutes, also if there is nothing to do. */
export async function readSweeps(
  stages: readonly string[],
  client: CloudWatchLogsClient,
  { clock, pause }: Pick<CliContext, 'clock' | 'pause'>,
): Promise<ReadonlyMap<string, Sweep>> {
  const until = clock.now();
  const read = async (stage: string): Promise<Sweep> => {
    let newest: number | null = null;
    const query = {
      logGroupName: logGroupOf(stage, 'sweep'),
      pattern: '{ $.message = "sweep" }',
      since: until - hour,
      until,
    };
    const reader = { client, pause, onProgress: () => undefined };
    const lines = await readLines(reader, query, (_, timestamp) => {
      newest = Math.max(newest ?? 0, timestamp);
    });
    if (lines === undefined) return { kind: 'unknown', reason: 'the function sweep has no log' };
    return { kind: 'known', at: newest };
  };
  const sweeps = await inParts(stages, readAtOnce, read);
  return new Map(
    stages.map((stage, index): [string, Sweep] => {
      const sweep = sweeps[index];
      return [
        stage,
        sweep?.status === 'fulfilled' ? sweep.value : { kind: 'unknown', reason: reasonOf(sweep?.reason) },
      ];
    }),
  );
}
