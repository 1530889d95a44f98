import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createAutoScaling, describeGroups } from '../../shared/aws/auto-scaling.ts';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { autoScalingClient, ec2Client } from '../../shared/aws/clients.ts';
import { createRollLaunches } from '../../shared/aws/roll-launches.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { shellWord } from '../../shared/base/shell-words.ts';
import type { GiveBackAnswer } from '../../shared/groups/auto-scaling.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../shared/groups/group.ts';
import { createApi } from '../../shared/kubernetes/api.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { HookNames } from '../../shared/problems/hook-problems.ts';
import type { RollLaunches } from '../../shared/roll/launches.ts';
import { awsConnection, tryingOnce } from '../../shared/runtime/aws-connection.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import { clusterOf, connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { readDeployments, stageServing } from '../deployments/deployments.ts';
import { directHolds } from '../hold/direct.ts';
import type { Holds } from '../hold/holds.ts';
import { environmentOf, hostOf } from '../host.ts';
import { createTrialCluster, type TrialCluster } from './cluster.ts';
import { type PassLog, type PassLogQuery, readPassLog } from './pass-log.ts';
import { missingRights } from './rights.ts';

export interface TrialAccessFlags extends AutoScalingFlags, ClusterFlags {
  readonly stage?: string;
}

/** What a trial reads and changes, with the credentials and the kubeconfig of this machine. */
export interface TrialAccess extends HookNames {
  /** The command that ends what a trial has left, with the flags that were given. */
  readonly cleanUpCommand: string;
  /** @throws CliError if the cluster does not manage it. */
  readonly readManaged: (name: string) => Promise<AutoScalingGroup>;
  /** Undefined if the group is gone. */
  readonly readGroup: (name: string) => Promise<AutoScalingGroup | undefined>;
  readonly describeHooks: (name: string) => Promise<readonly LifecycleHook[]>;
  readonly findActiveRefresh: RollLaunches['findActiveRefresh'];
  /** The stage that serves the cluster; undefined if none does. */
  readonly stage: () => Promise<string | undefined>;
  /** With a lower desired capacity, and sent once: a second call would lower it again. */
  readonly terminate: (instanceId: string) => Promise<GiveBackAnswer>;
  readonly holds: Pick<Holds, 'create' | 'end' | 'stateOf'>;
  readonly nodes: Pick<DrainCluster, 'getNode' | 'listNodes' | 'listPodsOnNode' | 'patchNode'>;
  readonly trials: TrialCluster;
  /** The rights in the cluster that the operator lacks. */
  readonly missingRights: () => Promise<readonly string[]>;
  readonly readPassLog: (query: PassLogQuery) => Promise<PassLog>;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function trialAccess(flags: TrialAccessFlags, context: CliContext): TrialAccess {
  const access = autoScalingAccess(flags, context);
  const host = hostOf(context, environmentOf(flags, context));
  const connection = awsConnection(host);
  const { client, clusterName } = access;
  const once = createAutoScaling({ client: autoScalingClient(tryingOnce(host)), clusterName });
  const api = createApi({ connections: connectionsTo(flags, context), sendHttp: context.sendHttp });
  const launches = createRollLaunches({ ec2: ec2Client(connection), autoScaling: client });
  const logs = new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs'));
  const stage = lazily(async () => {
    const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
    return stageServing(await readDeployments(events), { clusterName, stage: flags.stage });
  });
  return {
    ...access,
    cleanUpCommand: ['drover trial --clean-up', ...flagsIn(flags)].join(' '),
    readManaged: (name) => managedGroup({ client, clusterName }, name),
    readGroup: async (name) => {
      const { groups } = await describeGroups(client, { AutoScalingGroupNames: [name] });
      return groups[0];
    },
    findActiveRefresh: (name) => launches.findActiveRefresh(name),
    stage,
    terminate: (instanceId) => once.giveBack(instanceId),
    holds: directHolds({ ...flags, sign: true }, context),
    nodes: clusterOf(flags, context),
    trials: createTrialCluster(api),
    missingRights: () => missingRights(api),
    readPassLog: async (query) => await readPassLog({ client: logs, stage }, query),
  };
}

/** The flags that select account, region and cluster, as they were given. */
const flagsIn = ({ cluster, region, kubeconfig, context }: TrialAccessFlags): readonly string[] =>
  Object.entries({ cluster, region, kubeconfig, context }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
