import { readFile } from 'node:fs/promises';
import type { Cloud } from '@drover/cloud-sandbox';
import { addGroup } from '../cloud/furnish.ts';
import { addEtcdGroup } from '../etcd-group.ts';
import { clusterName, hookName, joiningHookName } from '../names.ts';
import { furnishEtcd } from '../wire/furnish-etcd.ts';
import type { Furnishing } from '../wire/sandbox.ts';
import { addControllers } from './seeds/controllers.ts';
import type { AuthorsCluster } from './seeds/step.ts';

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
export async function furnishCluster(
  { cloud, apply, etcdPki }: Furnishing,
  cluster?: AuthorsCluster,
): Promise<void> {
  addGroup(cloud, {
    autoScalingGroupName: workersGroupName,
    clusterName,
    size: 3,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    settings,
  });
  addGroup(cloud, {
    autoScalingGroupName: spotGroupName,
    clusterName,
    size: 1,
    spot: true,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    settings,
  });
  furnishEtcd(cloud, {
    certificateAuthority: etcdPki.authority,
    clientCertificate: etcdPki.drover.certificate,
    clientKey: etcdPki.drover.key,
  });
  if (cluster === 'etcd-beside') addControllers(cloud, { heartbeatTimeoutSeconds, settings });
  else
    addEtcdGroup(cloud, {
      autoScalingGroupName: etcdGroupName,
      size: 3,
      heartbeatTimeoutSeconds,
      settings,
    });
  await apply(await readFile(new URL('./workloads.yaml', import.meta.url), 'utf8'));
}
