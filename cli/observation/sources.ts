import {
  autoScalingClient,
  cloudWatchClient,
  ec2Client,
  schedulerClient,
  sqsClient,
  ssmClient,
} from '../../shared/aws/clients.ts';
import { createEc2 } from '../../shared/aws/ec2.ts';
import { createPlainParameters, readModifiedAt } from '../../shared/aws/parameters.ts';
import { readScheduledActions } from '../../shared/aws/scheduled-actions.ts';
import { scheduleReader } from '../../shared/aws/schedules.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { HoldParametersError } from '../../shared/capacity/holds/context.ts';
import { scheduleGroupOf } from '../../shared/capacity/schedules/schedule.ts';
import type { Approvals } from '../../shared/certificates/other-approvers.ts';
import { bootstrapRoles as allRoles } from '../../shared/credentials/token-cluster.ts';
import { credentialParameterOf } from '../../shared/credentials/token-ledger.ts';
import type { ScheduledAction } from '../../shared/groups/scheduled-action.ts';
import { createApi } from '../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../shared/kubernetes/certificates.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import type { RaisedAlarm } from '../../shared/problems/alarm-problems.ts';
import type { HeldCapacity } from '../../shared/problems/capacity-problems.ts';
import type { JudgedRequest } from '../../shared/problems/certificate-problems.ts';
import type { PublishedCredential } from '../../shared/problems/credential-problems.ts';
import type { DeadLetterQueue } from '../../shared/problems/dead-letter-problems.ts';
import { isDeadLetterPart } from '../../shared/problems/dead-letter-problems.ts';
import type { ObservedLaunches } from '../../shared/problems/node-problems.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { FunctionHost } from '../../shared/runtime/host.ts';
import { readHeldCapacity, readLaunchTimes } from '../../shared/runtime/problem-sources.ts';
import { readApprovals } from './approvals.ts';
import { type CountedQueue, deadLettersIn, readQueues } from './dead-letters.ts';
import { judgePending } from './judge-requests.ts';
import { readRaisedAlarms } from './raised-alarms.ts';

/** What is read to find problems besides the groups and the Nodes. Each read rejects if it is refused or not answered. */
export interface ProblemSources {
  readonly readLaunches: (instanceIds: readonly string[]) => Promise<ObservedLaunches>;
  readonly readRequests: () => Promise<readonly JudgedRequest[]>;
  readonly readDeadLetters: () => Promise<readonly DeadLetterQueue[]>;
  /** All queues, for the page. */
  readonly readQueues: () => Promise<readonly CountedQueue[]>;
  readonly readCapacity: () => Promise<HeldCapacity>;
  readonly readScheduledActions: () => Promise<readonly ScheduledAction[]>;
  /** They include those of all roles that are published or should be. */
  readonly readCredentials: () => Promise<readonly PublishedCredential[]>;
  readonly readAlarms: () => Promise<readonly RaisedAlarm[]>;
  readonly readApprovals: () => Promise<Approvals>;
}

export interface SourcesOptions {
  /** Its environment has the settings of the deployment. */
  readonly host: FunctionHost;
  /** The API server, with an identity that may list certificate requests. */
  readonly connections: ConnectionSource;
  /** Defaults to the only stage in the account and region. */
  readonly stage?: string | undefined;
}

/** The sources with this machine's credentials. Nothing is asked, and no setting is read, before the first call. */
export function problemSources({ host, connections, stage }: SourcesOptions): ProblemSources {
  const { environment, clock, sendHttp } = host;
  const aws = lazily(() => {
    const connection = awsConnection(host);
    return {
      autoScaling: autoScalingClient(connection),
      cloudWatch: cloudWatchClient(connection),
      ec2: createEc2(ec2Client(connection)),
      sqs: sqsClient(connection),
      ssm: ssmClient(connection),
      scheduler: schedulerClient(connection),
      clusterName: readConfig(environment, ['clusterName']).clusterName,
    };
  });
  return {
    readLaunches: async (instanceIds) => {
      const { joinTimeoutSeconds } = readConfig(environment, ['joinTimeoutSeconds']);
      return await readLaunchTimes(aws().ec2, { instanceIds, joinTimeoutSeconds });
    },
    readRequests: async () => {
      const requests = await certificateCalls(createApi({ connections, sendHttp })).listRequests();
      return await judgePending(requests, { host, connections });
    },
    readApprovals: async () => await readApprovals({ connections, sendHttp }),
    readDeadLetters: async () => deadLettersIn(await readQueues(aws().sqs, stage, isDeadLetterPart)),
    readQueues: async () => await readQueues(aws().sqs, stage),
    readAlarms: async () => await readRaisedAlarms(aws().cloudWatch, host.clock, stage),
    readCapacity: async () => {
      const { ssm, scheduler, clusterName } = aws();
      const { maxSizeLimit } = readConfig(environment, ['maxSizeLimit']);
      return await readHeldCapacity({
        parameters: createPlainParameters(ssm),
        readSchedules: scheduleReader({ client: scheduler, groupName: scheduleGroupOf(clusterName), clock }),
        clusterName,
        maxSizeLimit,
      });
    },
    readScheduledActions: async () => await readScheduledActions(aws().autoScaling),
    readCredentials: async () => {
      const { ssm, clusterName } = aws();
      const names = ['bootstrapRoles', 'bootstrapRotationSeconds', 'bootstrapParameter'] as const;
      const { bootstrapRoles, bootstrapRotationSeconds, bootstrapParameter } = readConfig(
        { ...environment, DROVER_BOOTSTRAP_PARAMETER: bootstrapParameterIn(environment, clusterName) },
        names,
      );
      const all = allRoles.map((role) => ({
        role,
        parameterName: credentialParameterOf(bootstrapParameter, role),
        rotationSeconds: bootstrapRotationSeconds,
      }));
      const parameterNames = all.map(({ parameterName }) => parameterName);
      const modifiedAt = await readModifiedAt(ssm, parameterNames).catch(withoutHolds);
      // The settings of this machine may not name all roles of the deployment: a parameter does.
      return all
        .map((one) => ({ ...one, publishedAt: modifiedAt.get(one.parameterName) }))
        .filter(({ role, publishedAt }) => publishedAt !== undefined || bootstrapRoles.includes(role));
    },
  };
}

/** As `serverless.yml` names it, unless the environment has another name. */
const bootstrapParameterIn = (environment: FunctionHost['environment'], clusterName: string): string =>
  environment.DROVER_BOOTSTRAP_PARAMETER ?? `/drover/${clusterName}/bootstrap-kubeconfig`;

/** The adapter's message is about the parameters of holds. */
function withoutHolds(error: unknown): never {
  throw error instanceof HoldParametersError ? error.cause : error;
}
