import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  cloudWatchClient,
  ec2Client,
  eventBridgeClient,
  sqsClient,
  ssmClient,
} from '../../shared/aws/clients.ts';
import { createPlainParameters } from '../../shared/aws/parameters.ts';
import { createRollLaunches } from '../../shared/aws/roll-launches.ts';
import type { RollStore } from '../../shared/roll/change-roll.ts';
import type { RollLaunches } from '../../shared/roll/launches.ts';
import { rollPathsOf } from '../../shared/roll/roll.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { RollAccessFlags } from './access-flags.ts';

/** The rolls and groups of a cluster, with this machine's AWS credentials. */
export interface RollAccess extends AutoScalingAccess {
  readonly store: RollStore;
  readonly launches: RollLaunches;
  readonly events: EventBridgeClient;
  readonly alarms: CloudWatchClient;
  readonly sqs: SQSClient;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function rollAccess(flags: RollAccessFlags, context: CliContext): RollAccess {
  const access = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  return {
    ...access,
    store: {
      parameters: createPlainParameters(ssmClient(connection)),
      paths: rollPathsOf(access.clusterName),
    },
    launches: createRollLaunches({ ec2: ec2Client(connection), autoScaling: access.client }),
    events: eventBridgeClient(connection),
    alarms: cloudWatchClient(connection),
    sqs: sqsClient(connection),
  };
}
