import type { EKSClient } from '@aws-sdk/client-eks';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SSMClient } from '@aws-sdk/client-ssm';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { eksClient, sqsClient, ssmClient } from '../../shared/aws/clients.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { type LeaveAccess, type LeaveAccessFlags, leaveAccess } from '../leave/access.ts';

/** What an uninstallation reads and deletes, with this machine's credentials. */
export interface UninstallAccess {
  readonly leave: LeaveAccess;
  readonly clusterName: string;
  readonly eks: EKSClient;
  readonly events: EventBridgeClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  readonly clock: CliContext['clock'];
  /** The stage that the operator named. */
  readonly stage: string | undefined;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function uninstallAccess(
  flags: LeaveAccessFlags & { readonly stage?: string },
  context: CliContext,
): UninstallAccess {
  const leave = leaveAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  return {
    leave,
    clusterName: leave.autoScaling.clusterName,
    eks: eksClient(connection),
    events: new EventBridgeClient(clientSettings(connection, 'EventBridge')),
    sqs: sqsClient(connection),
    ssm: ssmClient(connection),
    clock: context.clock,
    stage: flags.stage,
  };
}
