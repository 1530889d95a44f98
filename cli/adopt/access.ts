import type { EC2Client } from '@aws-sdk/client-ec2';
import type { EKSClient } from '@aws-sdk/client-eks';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { IAMClient } from '@aws-sdk/client-iam';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { ec2Client, eksClient, iamClient } from '../../shared/aws/clients.ts';
import { type Api, createApi } from '../../shared/kubernetes/api.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';

/** AWS with this machine's credentials, and the API server with its kubeconfig. */
export interface AdoptAccess {
  readonly autoScaling: AutoScalingAccess;
  readonly ec2: EC2Client;
  readonly eks: EKSClient;
  readonly events: EventBridgeClient;
  readonly iam: IAMClient;
  readonly connections: ConnectionSource;
  readonly api: Api;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function adoptAccess(flags: AutoScalingFlags & ClusterFlags, context: CliContext): AdoptAccess {
  const autoScaling = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const connections = connectionsTo(flags, context);
  return {
    autoScaling,
    ec2: ec2Client(connection),
    eks: eksClient(connection),
    events: new EventBridgeClient(clientSettings(connection, 'EventBridge')),
    iam: iamClient(connection),
    connections,
    api: createApi({ connections, sendHttp: context.sendHttp }),
  };
}
