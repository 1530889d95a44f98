import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import { ec2Client, schedulerClient, ssmClient } from '../../../shared/aws/clients.ts';
import { createEc2 } from '../../../shared/aws/ec2.ts';
import { createGroups } from '../../../shared/aws/groups.ts';
import { createPlainParameters } from '../../../shared/aws/parameters.ts';
import { createRollLaunches } from '../../../shared/aws/roll-launches.ts';
import { scheduleReader } from '../../../shared/aws/schedules.ts';
import type { TimerClock } from '../../../shared/base/clock.ts';
import type { Groups } from '../../../shared/capacity/groups.ts';
import type { HoldParameters } from '../../../shared/capacity/holds/context.ts';
import { type HoldPaths, holdPathsOf } from '../../../shared/capacity/holds/parameters.ts';
import type { SchedulesRead } from '../../../shared/capacity/schedules/due-holds.ts';
import { scheduleGroupOf } from '../../../shared/capacity/schedules/schedule.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import type { RequestCalls } from '../../../shared/certificates/decide-requests.ts';
import type { Approvals } from '../../../shared/certificates/other-approvers.ts';
import type { Ec2 } from '../../../shared/groups/ec2.ts';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../../shared/kubernetes/certificates.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import type { ConnectionSource } from '../../../shared/kubernetes/connection.ts';
import type { DrainCluster } from '../../../shared/nodes/cluster.ts';
import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';
import type { JudgedRequest } from '../../../shared/problems/certificate-problems.ts';
import type { PublishedCredential } from '../../../shared/problems/credential-problems.ts';
import type { RollStore } from '../../../shared/roll/change-roll.ts';
import type { RollLaunches } from '../../../shared/roll/launches.ts';
import { rollPathsOf } from '../../../shared/roll/roll.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { PassView } from '../../../ui/state/types.ts';
import type { AccessFlags } from '../../access/flags.ts';
import { accountIdOf } from '../../account-id.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../../auto-scaling/access.ts';
import { connectionsTo } from '../../cluster.ts';
import type { CliContext } from '../../context.ts';
import { environmentOf, hostOf } from '../../host.ts';
import type { CountedQueue } from '../../observation/dead-letters.ts';
import { judgePending } from '../../observation/judge-requests.ts';
import { problemSources } from '../../observation/sources.ts';
import { passReader } from './read-passes.ts';

/** What the page of a real account is read with: this machine's AWS credentials and a kubeconfig. */
export interface DirectAccess {
  readonly clock: TimerClock;
  readonly region: string;
  readonly autoScaling: AutoScalingAccess;
  readonly groups: Groups;
  readonly ec2: Ec2;
  readonly parameters: HoldParameters;
  readonly paths: HoldPaths;
  readonly rolls: RollStore;
  readonly launches: Pick<RollLaunches, 'readInstances'>;
  readonly readSchedules: () => Promise<SchedulesRead>;
  readonly cluster: DrainCluster;
  readonly certificates: Pick<RequestCalls, 'listRequests'>;
  /** They include those of all roles that are published or should be. */
  readonly readCredentials: () => Promise<readonly PublishedCredential[]>;
  /** These settings of the deployment bound what is a problem. */
  readonly joinTimeoutSeconds: number;
  readonly maxSizeLimit: number;
  readonly readQueues: () => Promise<readonly CountedQueue[]>;
  /** What Drover did in the last hour, from the logs of a stage. */
  readonly readPasses: (stage: string) => Promise<readonly PassView[]>;
  readonly readAlarms: () => Promise<readonly RaisedAlarm[]>;
  readonly readApprovals: () => Promise<Approvals>;
  readonly judgePending: (requests: readonly CertificateRequest[]) => Promise<readonly JudgedRequest[]>;
  readonly readAccountId: () => Promise<string>;
}

export interface DirectFlags extends AccessFlags {
  /** Defaults to the only one in the account and region. */
  readonly stage?: string;
}

/**
 * Access to the account and to the API server that the flags mean, unless it is given.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet.
 */
export function directAccess(
  flags: DirectFlags,
  context: CliContext,
  connections: ConnectionSource = connectionsTo(flags, context),
): DirectAccess {
  const { clock, sendHttp } = context;
  const autoScaling = autoScalingAccess(flags, context);
  const { clusterName } = autoScaling;
  const environment = environmentOf(flags, context);
  const host = hostOf(context, environment);
  const connection = awsConnection(host);
  const { readQueues, readAlarms, readCredentials, readApprovals } = problemSources({
    host,
    connections,
    stage: flags.stage,
  });
  const parameters = createPlainParameters(ssmClient(connection));
  const groupName = scheduleGroupOf(clusterName);
  return {
    ...readConfig(host.environment, ['joinTimeoutSeconds', 'maxSizeLimit']),
    readQueues,
    readPasses: passReader(new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs')), clock),
    readAlarms,
    readApprovals,
    readCredentials,
    judgePending: (requests) => judgePending(requests, { host, connections }),
    clock,
    region: connection.region,
    autoScaling,
    groups: createGroups({ connection, clusterName }),
    ec2: createEc2(ec2Client(connection)),
    parameters,
    rolls: { parameters, paths: rollPathsOf(clusterName) },
    launches: createRollLaunches({ ec2: ec2Client(connection), autoScaling: autoScaling.client }),
    paths: holdPathsOf(clusterName),
    readSchedules: scheduleReader({ client: schedulerClient(connection), groupName, clock }),
    cluster: createKubernetesClient({ connections, sendHttp, clock }),
    certificates: certificateCalls(createApi({ connections, sendHttp })),
    readAccountId: async () => (await accountIdOf(connection)) ?? '',
  };
}
