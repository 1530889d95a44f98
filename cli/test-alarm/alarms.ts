import type { CloudWatchClient, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { describeAlarms } from '../../shared/aws/alarms.ts';
import { alarmsWith, deploymentBegin, stagesOf } from '../../shared/problems/alarm-problems.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { nearNames } from '../find-node/near-names.ts';
import { onlyStage } from '../observation/only-stage.ts';

/** An alarm as a test needs it. */
export interface TestableAlarm {
  /** With the name of the deployment, such as `drover-prod-undelivered`. */
  readonly name: string;
  readonly description: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  readonly reason: string;
  /** False: someone has turned the actions of the alarm off. */
  readonly actsAtAll: boolean;
  /** The ARNs of what ALARM notifies or does. */
  readonly actions: readonly string[];
}

/** The alarms of the deployments in the account and region. */
export const readTestableAlarms = async (
  client: CloudWatchClient,
  prefix = deploymentBegin,
): Promise<readonly TestableAlarm[]> => (await describeAlarms(client, prefix)).map(toAlarm);

const toAlarm = (alarm: MetricAlarm): TestableAlarm => ({
  name: alarm.AlarmName ?? '',
  description: alarm.AlarmDescription ?? '',
  state: alarm.StateValue ?? 'INSUFFICIENT_DATA',
  reason: alarm.StateReason ?? '',
  actsAtAll: alarm.ActionsEnabled !== false,
  actions: [...new Set(alarm.AlarmActions)],
});

/**
 * The alarms of the deployment that is meant. Pure.
 *
 * @throws CliError if there is none, or there are several and no stage is given.
 */
export function alarmsOfDeployment(
  alarms: readonly TestableAlarm[],
  wanted: string | undefined,
): { readonly prefix: string; readonly alarms: readonly TestableAlarm[] } {
  const stage = onlyStage('alarms', stagesOf(alarms), wanted);
  const prefix = `${deploymentBegin}${stage}-`;
  return { prefix, alarms: alarmsWith(prefix, alarms) };
}

/**
 * The alarm with this name: the whole one, which also says the deployment, or that of a deployment. Pure.
 *
 * @throws CliError if there is none, with those that it may mean.
 */
export function alarmNamed(
  name: string,
  alarms: readonly TestableAlarm[],
  wanted: string | undefined,
): TestableAlarm {
  const whole = alarms.find((alarm) => alarm.name === name);
  if (whole !== undefined && (wanted === undefined || name.startsWith(`${deploymentBegin}${wanted}-`)))
    return whole;
  const { prefix, alarms: own } = alarmsOfDeployment(alarms, wanted);
  const found = own.find((alarm) => alarm.name === `${prefix}${name}`);
  if (found !== undefined) return found;
  const near = nearNames(
    name,
    own.map((alarm) => alarm.name.slice(prefix.length)),
  );
  throw new CliError(
    `there is no alarm ${prefix}${name}: ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'drover test-alarm lists them'}`,
    exitCodes.failed,
  );
}
