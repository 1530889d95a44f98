import { addGroup } from '../../../src/cloud/add-group.ts';
import { createFetch } from '../../../src/kubernetes/api/fetch.ts';
import { type FurnishedSandbox, openSandbox, type WireSandbox } from '../../../src/wire/open-sandbox.ts';
import { workloads } from './workloads.ts';

/** A sandbox on free ports with the groups, workloads, zone and bucket that the cases of the clients name. */
export interface ClientsSandbox extends WireSandbox {
  /** The settings that each client of AWS reads from its environment. */
  readonly awsEnvironment: Readonly<Record<string, string>>;
  /** The faults of the sandbox, and the deliveries that it was refused. */
  readonly problems: readonly unknown[];
}

const clusterName = 'sandbox';

export async function openClientsSandbox({ speed }: { readonly speed: number }): Promise<ClientsSandbox> {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => {
    problems.push(problem);
  };
  const sandbox = await openSandbox({
    speed,
    clusterName,
    // With AWS a change takes 20 to 60 s: too long to wait for at the speed of life.
    timings: { route53: { inSyncSeconds: 5 } },
    kubelets: {
      configure: ({ tags }) =>
        tags.get('role') === 'storage' ? undefined : { labels: { 'node-role.kubernetes.io/worker': '' } },
    },
    furnish,
    warmUpSeconds: 60,
    onProblem,
    onFault: onProblem,
  });
  const { doors, region, accessKeyId, secretAccessKey } = sandbox;
  const awsEnvironment = {
    AWS_ENDPOINT_URL: doors.aws.url,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return { ...sandbox, awsEnvironment, problems };
}

/** Three workers that are nodes of the cluster, and three instances that are not. */
async function furnish({ cloud }: FurnishedSandbox): Promise<void> {
  const { account, kubernetes } = cloud;
  for (const [autoScalingGroupName, role] of [
    ['workers', 'worker'],
    ['storage', 'storage'],
  ] as const)
    addGroup(account, { autoScalingGroupName, clusterName, size: 3, tags: { role } });
  const [subnet] = account.ec2.instances.subnets();
  account.route53.controls.addZone('Z0SANDBOX00000000001', {
    Name: 'sandbox.internal',
    CallerReference: 'sandbox.internal',
    VPC: { VPCId: subnet?.vpcId, VPCRegion: 'eu-west-1' },
  });
  account.s3.operations.CreateBucket({ Bucket: 'snapshots' });
  const fetchFromCluster = createFetch(kubernetes.sendHttp, kubernetes.adminToken);
  for (const [path, object] of workloads) {
    const answer = await fetchFromCluster(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
}
