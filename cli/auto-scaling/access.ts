import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { createAutoScaling } from '../../shared/aws/auto-scaling.ts';
import { withFewerCalls } from '../../shared/aws/cached.ts';
import { autoScalingClient, ec2Client } from '../../shared/aws/clients.ts';
import { createEc2 } from '../../shared/aws/ec2.ts';
import type { Ec2 } from '../../shared/groups/ec2.ts';
import type { GroupInstance, LifecycleHook } from '../../shared/groups/group.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { AutoScalingFlags } from './flags.ts';

/** Auto Scaling with this machine's credentials, and what the deployment calls things. */
export interface AutoScalingAccess {
  readonly client: AutoScalingClient;
  readonly ec2: Ec2;
  readonly clusterName: string;
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
  /** May be a minute old. */
  readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
  /** Also finds instances of warm pools, which their groups do not list; undefined if no group has it. Concurrent reads share one call. */
  readonly describeInstance: (instanceId: string) => Promise<GroupInstance | undefined>;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function autoScalingAccess(flags: AutoScalingFlags, context: CliContext): AutoScalingAccess {
  const { clock } = context;
  const host = hostOf(context, environmentOf(flags, context));
  const config = readConfig(host.environment, [
    'region',
    'clusterName',
    'leavingHookName',
    'joiningHookName',
    'etcdHookName',
    'etcdLaunchHookName',
  ]);
  const connection = awsConnection(host);
  const client = autoScalingClient(connection);
  const { clusterName } = config;
  const autoScaling = withFewerCalls(createAutoScaling({ client, clusterName }), clock);
  return {
    ...config,
    client,
    ec2: createEc2(ec2Client(connection)),
    describeHooks: (name) => autoScaling.describeHooks(name),
    describeInstance: (instanceId) => autoScaling.describeInstance(instanceId),
  };
}
