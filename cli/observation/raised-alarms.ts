import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { readAlarms } from '../../shared/aws/alarms.ts';
import type { Clock } from '../../shared/base/clock.ts';
import {
  deploymentBegin,
  type RaisedAlarm,
  raisedOf,
  stagesOf,
} from '../../shared/problems/alarm-problems.ts';
import { onlyStage } from './only-stage.ts';

/**
 * The raised alarms of a deployment: one call.
 *
 * @throws CliError if there is no deployment, or there are several and no stage is given: no alarm of a deployment is not the same as none that
 * is raised.
 */
export async function readRaisedAlarms(
  client: CloudWatchClient,
  clock: Clock,
  wanted?: string,
  abortSignal?: AbortSignal,
): Promise<readonly RaisedAlarm[]> {
  const alarms = await readAlarms(
    client,
    wanted === undefined ? deploymentBegin : `${deploymentBegin}${wanted}-`,
    clock,
    abortSignal,
  );
  const stage = onlyStage('alarms', stagesOf(alarms), wanted);
  return raisedOf(alarms, `${deploymentBegin}${stage}-`);
}
