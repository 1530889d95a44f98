import { readFile } from 'node:fs/promises';
import type { VPCRegion } from '@aws-sdk/client-route-53';
import type { Cloud } from '@drover/cloud-sandbox';
import { encodeEtcdClientCredentials, etcdClientParameter } from '../../shared/etcd/client-credentials.ts';
import { addGroup } from '../cloud/furnish.ts';
import { joiningHookName } from '../names.ts';
import { etcdZone } from '../wire/etcd-zone.ts';
import type { Furnishing } from '../wire/sandbox.ts';

export const workersGroupName = 'drover-workers';
const spotGroupName = 'drover-spot';

/**
 * Puts Drover's hook on launches at both groups of workers, as `drover hooks install --joining` does. The first workers are older than it.
 */
export function holdLaunches({ account }: Cloud): void {
  for (const AutoScalingGroupName of [workersGroupName, spotGroupName])
    account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName,
      LifecycleHookName: joiningHookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: heartbeatTimeoutSeconds,
      DefaultResult: 'CONTINUE',
    });
}

export const etcdGroupName = 'drover-etcd';

/** Short, so that the story does not wait long for a member. */
const heartbeatTimeoutSeconds = 300;

/** Deleting a group by force would skip its hooks. */
const settings = { DeletionProtection: 'prevent-force-deletion' } as const;

/**
 * The cluster of the story: three workers in a managed group, one on Spot in another, pods, some of them with a budget, and a group of
 * three etcd members.
 */
export async function furnishCluster(furnishing: Furnishing): Promise<void> {
  const { cloud, clusterName, apply } = furnishing;
  addGroup(cloud, {
    autoScalingGroupName: workersGroupName,
    clusterName,
    size: 3,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds },
    settings,
  });
  addGroup(cloud, {
    autoScalingGroupName: spotGroupName,
    clusterName,
    size: 1,
    spot: true,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds },
    settings,
  });
  furnishEtcd(furnishing);
  await apply(await readFile(new URL('./workloads.yaml', import.meta.url), 'utf8'));
}

/** Sets etcd up as an operator does: a zone, a bucket, a client certificate for Drover, and a group that has its hooks before its first instance. */
function furnishEtcd({ cloud, clusterName, etcdPki }: Furnishing): void {
  const { account } = cloud;
  const [subnet] = account.ec2.instances.subnets();
  account.route53.controls.addZone(etcdZone.zoneId, {
    Name: etcdZone.zoneName,
    CallerReference: etcdZone.zoneName,
    VPC: { VPCId: subnet?.vpcId, VPCRegion: account.region as VPCRegion },
  });
  account.s3.operations.CreateBucket({ Bucket: etcdZone.snapshotBucket });
  account.ssm.operations.PutParameter(
    {
      Name: etcdClientParameter(clusterName),
      Type: 'SecureString',
      Value: encodeEtcdClientCredentials({
        certificateAuthority: etcdPki.authority,
        clientCertificate: etcdPki.drover.certificate,
        clientKey: etcdPki.drover.key,
      }),
    },
    { principal: account.operator, requestId: 'furnish' },
  );
  addGroup(cloud, { autoScalingGroupName: etcdGroupName, clusterName, size: 0, role: 'etcd', settings });
  for (const hook of etcdHooks)
    account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: etcdGroupName,
      HeartbeatTimeout: heartbeatTimeoutSeconds,
      ...hook,
    });
  account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: etcdGroupName,
    DesiredCapacity: 3,
  });
}

const etcdHooks = [
  {
    LifecycleHookName: 'drover-etcd-launch',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    DefaultResult: 'ABANDON',
  },
  {
    LifecycleHookName: 'drover-etcd',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    DefaultResult: 'CONTINUE',
  },
] as const;
