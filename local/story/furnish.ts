import { readFile } from 'node:fs/promises';
import type { VPCRegion } from '@aws-sdk/client-route-53';
import { addGroup } from '../cloud/furnish.ts';
import type { Furnishing } from '../wire/sandbox.ts';

export const workersGroupName = 'drover-workers';

/** What a VPC's own names end in: a private zone that nothing else answers for. */
const zoneName = 'drover.internal';

/** The cluster that the story is told in: three workers in a managed group, and pods, some of them under a budget. */
export async function furnishCluster({ cloud, clusterName, apply }: Furnishing): Promise<void> {
  addGroup(cloud, {
    autoScalingGroupName: workersGroupName,
    clusterName,
    size: 3,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 300 },
  });
  const [subnet] = cloud.account.ec2.instances.subnets();
  cloud.account.route53.operations.CreateHostedZone({
    Name: zoneName,
    CallerReference: zoneName,
    VPC: { VPCId: subnet?.vpcId, VPCRegion: cloud.account.region as VPCRegion },
  });
  await apply(await readFile(new URL('./workloads.yaml', import.meta.url), 'utf8'));
}
