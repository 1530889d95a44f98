import type { CreateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import type { Cloud } from '@drover/cloud-sandbox';

export interface GroupPlan {
  readonly autoScalingGroupName: string;
  readonly clusterName: string;
  readonly size: number;
  readonly role?: 'worker' | 'control-plane' | 'etcd';
  readonly tags?: Readonly<Record<string, string>>;
  readonly spot?: boolean;
  /** Undefined: no hook, so that a test can see what happens without. */
  readonly hook?: {
    readonly name: string;
    readonly heartbeatTimeoutSeconds: number;
    readonly defaultResult?: 'CONTINUE' | 'ABANDON';
  };
  readonly settings?: Partial<CreateAutoScalingGroupType>;
}

/** Makes an Auto Scaling group as an operator would: a launch template, a group with Drover's tags, a hook on it. */
export function addGroup({ account }: Pick<Cloud, 'account'>, plan: GroupPlan): void {
  const { autoScalingGroupName, clusterName, size, role = 'worker', hook } = plan;
  const { ec2, autoScaling } = account;
  ec2.operations.CreateLaunchTemplate({
    LaunchTemplateName: autoScalingGroupName,
    LaunchTemplateData: {
      InstanceType: 'm5.large',
      ImageId: 'ami-0123456789abcdef0',
      ...(plan.spot && { InstanceMarketOptions: { MarketType: 'spot' } }),
    },
  });
  const tags = { [`kubernetes.io/cluster/${clusterName}`]: 'owned', 'drover.dev/role': role, ...plan.tags };
  autoScaling.operations.CreateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroupName,
    LaunchTemplate: { LaunchTemplateName: autoScalingGroupName, Version: '$Latest' },
    MinSize: 0,
    MaxSize: Math.max(10, size * 2),
    DesiredCapacity: size,
    VPCZoneIdentifier: ec2.instances
      .subnets()
      .map(({ subnetId }) => subnetId)
      .join(','),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value, PropagateAtLaunch: true })),
    ...plan.settings,
  });
  if (hook === undefined) return;
  autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: autoScalingGroupName,
    LifecycleHookName: hook.name,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
    DefaultResult: hook.defaultResult ?? 'CONTINUE',
  });
}

/** The kubeconfig that Drover's functions read: put into Parameter Store as the operator would. */
export function publishKubeconfig(
  { account }: Cloud,
  options: {
    readonly parameterName: string;
    readonly server: string;
    readonly token: string;
    readonly certificateAuthority?: string;
    /** A key of the operator's own; absent: the account's default key. */
    readonly keyId?: string;
  },
): void {
  const { server, token, certificateAuthority, keyId } = options;
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'drover',
    clusters: [
      {
        name: 'sandbox',
        cluster: {
          server,
          ...(certificateAuthority && {
            'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
          }),
        },
      },
    ],
    users: [{ name: 'drover', user: { token } }],
    contexts: [{ name: 'drover', context: { cluster: 'sandbox', user: 'drover' } }],
  };
  account.ssm.operations.PutParameter(
    {
      Name: options.parameterName,
      Value: JSON.stringify(kubeconfig),
      Type: 'SecureString',
      Overwrite: true,
      ...(keyId !== undefined && { KeyId: keyId }),
    },
    { principal: account.operator, requestId: 'furnish' },
  );
}
