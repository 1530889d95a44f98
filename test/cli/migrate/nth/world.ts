import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { kubeadmWorld } from '../../adopt/worlds.ts';

export const managedTag = 'aws-node-termination-handler/managed';
export const nthHook = 'my-k8s-term-hook';

export interface NthWorldOptions {
  /** Variables of its container beside those of the chart. */
  readonly env?: Readonly<Record<string, string>>;
  readonly heartbeatTimeoutSeconds?: number;
  readonly defaultResult?: 'CONTINUE' | 'ABANDON';
  readonly withLaunchHook?: boolean;
  /** The faults of calls, by their callers. */
  readonly weather?: NonNullable<Parameters<typeof kubeadmWorld>[0]>['weather'];
}

/** A cluster whose workers AWS Node Termination Handler drains, as its installation guide sets it up, beside a deployment of Drover. */
export async function nthWorld(options: NthWorldOptions = {}): Promise<DroverWorld> {
  const { weather } = options;
  const world = await kubeadmWorld(weather && { weather });
  const { heartbeatTimeoutSeconds = 300, defaultResult = 'CONTINUE', withLaunchHook = false } = options;
  const url = makeQueue(world);
  world.kubernetes.registry.create('deployments.apps', handler(url, options.env));
  putHook(world, nthHook, 'TERMINATING', { heartbeatTimeoutSeconds, defaultResult });
  if (withLaunchHook)
    putHook(world, 'my-k8s-launch-hook', 'LAUNCHING', { heartbeatTimeoutSeconds, defaultResult: 'ABANDON' });
  tagGroup(world, managedTag, '');
  for (const id of instanceIds(world)) tagInstance(world, id, managedTag, '');
  return world;
}

function makeQueue({ account }: DroverWorld): string {
  const { sqs, events, region, accountId } = account;
  const { QueueUrl } = sqs.operations.CreateQueue({
    QueueName: 'nth',
    Attributes: { MessageRetentionPeriod: '300' },
  });
  const rules: Readonly<Record<string, object>> = {
    MyK8sASGTermRule: {
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance-terminate Lifecycle Action', 'EC2 Instance-launch Lifecycle Action'],
    },
    MyK8sSpotTermRule: { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] },
    MyK8sRebalanceRule: { source: ['aws.ec2'], 'detail-type': ['EC2 Instance Rebalance Recommendation'] },
  };
  for (const [Name, pattern] of Object.entries(rules)) {
    events.operations.PutRule({ Name, EventPattern: JSON.stringify(pattern) });
    events.operations.PutTargets({
      Rule: Name,
      Targets: [{ Id: '1', Arn: `arn:aws:sqs:${region}:${accountId}:nth` }],
    });
  }
  return QueueUrl;
}

/** As the chart renders it. */
export const handler = (queueUrl: string, env: Readonly<Record<string, string>> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'aws-node-termination-handler',
    namespace: 'kube-system',
    labels: { 'app.kubernetes.io/name': 'aws-node-termination-handler' },
  },
  spec: {
    replicas: 1,
    selector: { matchLabels: { 'k8s-app': 'aws-node-termination-handler' } },
    template: {
      metadata: { labels: { 'k8s-app': 'aws-node-termination-handler' } },
      spec: {
        // It drains no node of the sandbox: what runs it is not simulated.
        nodeSelector: { nowhere: 'true' },
        containers: [
          {
            name: 'aws-node-termination-handler',
            image: 'public.ecr.aws/aws-ec2/aws-node-termination-handler:v1.25.6',
            env: [
              { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              ...Object.entries({
                CHECK_ASG_TAG_BEFORE_DRAINING: 'true',
                CHECK_TAG_BEFORE_DRAINING: 'true',
                MANAGED_ASG_TAG: managedTag,
                MANAGED_TAG: managedTag,
                DELETE_LOCAL_DATA: 'true',
                IGNORE_DAEMON_SETS: 'true',
                POD_TERMINATION_GRACE_PERIOD: '-1',
                NODE_TERMINATION_GRACE_PERIOD: '120',
                ENABLE_SQS_TERMINATION_DRAINING: 'true',
                QUEUE_URL: queueUrl,
                WORKERS: '10',
                HEARTBEAT_INTERVAL: '-1',
                HEARTBEAT_UNTIL: '-1',
                ...env,
              }).map(([name, value]) => ({ name, value })),
            ],
          },
        ],
      },
    },
  },
});

export function putHook(
  { account }: DroverWorld,
  name: string,
  transition: 'LAUNCHING' | 'TERMINATING',
  {
    heartbeatTimeoutSeconds,
    defaultResult,
  }: Required<Pick<NthWorldOptions, 'heartbeatTimeoutSeconds' | 'defaultResult'>>,
): void {
  account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
    HeartbeatTimeout: heartbeatTimeoutSeconds,
    DefaultResult: defaultResult,
  });
}

export function tagGroup({ account }: DroverWorld, Key: string, Value: string): void {
  account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [
      { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key, Value, PropagateAtLaunch: true },
    ],
  });
}

export const tagInstance = ({ account }: DroverWorld, id: string, Key: string, Value: string): void => {
  account.ec2.operations.CreateTags({ Resources: [id], Tags: [{ Key, Value }] });
};

const groupOf = ({ account }: DroverWorld) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['workers'] })
    .AutoScalingGroups[0];

export const instanceIds = (world: DroverWorld): readonly string[] =>
  (groupOf(world)?.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);

/** All that a migration may change: hooks, and tags of the group and of its instances. */
export function handedOver(world: DroverWorld) {
  const { autoScaling, ec2 } = world.account;
  const ids = instanceIds(world);
  const { Tags = [] } = ec2.operations.DescribeTags({
    Filters: [{ Name: 'resource-type', Values: ['instance'] }],
  });
  return {
    hooks: autoScaling.operations
      .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
      .LifecycleHooks.toSorted((one, other) =>
        (one.LifecycleHookName ?? '').localeCompare(other.LifecycleHookName ?? ''),
      ),
    tags: (groupOf(world)?.Tags ?? [])
      .map(({ Key, Value, PropagateAtLaunch }) => `${Key}=${Value} ${PropagateAtLaunch}`)
      .toSorted(),
    instances: ids.map((id) =>
      Tags.filter(({ ResourceId, Key = '' }) => ResourceId === id && !Key.startsWith('aws:'))
        .map(({ Key, Value }) => `${Key}=${Value}`)
        .toSorted(),
    ),
  };
}
