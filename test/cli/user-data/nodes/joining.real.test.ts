import { instanceMetadata } from '@drover/cloud-sandbox';
import { etcd, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { openMetadataDoor } from '@drover/cloud-sandbox/wire';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clusterName } from '../../../../local/names.ts';
import { createRealWorld, type RealWorld } from '../../../../local/real-world/world.ts';
import { bootRealNode } from './real-node.ts';
import { textOf } from './support.ts';

const missing = [etcd, kubernetes].flatMap((one) => one.missing ?? []);

/** A group whose launch template has the user data, with the hook that waits for the node. */
function addGroup({ cloud: { account } }: RealWorld, userData: string): void {
  const { autoScaling, ec2 } = account;
  ec2.operations.CreateLaunchTemplate({
    LaunchTemplateName: 'workers',
    LaunchTemplateData: {
      InstanceType: 'm5.large',
      ImageId: 'ami-0123456789abcdef0',
      IamInstanceProfile: { Name: 'worker' },
      UserData: Buffer.from(userData).toString('base64'),
    },
  });
  const tags = { [`kubernetes.io/cluster/${clusterName}`]: 'owned', 'drover.dev/role': 'worker' };
  autoScaling.operations.CreateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' },
    MinSize: 0,
    MaxSize: 1,
    DesiredCapacity: 0,
    VPCZoneIdentifier: ec2.instances
      .subnets()
      .map(({ subnetId }) => subnetId)
      .join(','),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value, PropagateAtLaunch: true })),
  });
  autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drover-node-joining',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: 300,
    DefaultResult: 'ABANDON',
  });
}

describe.skipIf(missing.length > 0)(
  'an instance that Auto Scaling launches in front of a real cluster',
  () => {
    it('becomes a Ready node with nothing but its user data, and goes into service', async () => {
      const problems: unknown[] = [];
      const onProblem = (problem: unknown): void => void problems.push(problem);
      const world = await createRealWorld({
        nodes: 'kubelet',
        approver: 'drover',
        withScheduler: false,
        // Its kubelet is the one of its user data.
        configureNode: () => undefined,
        onProblem,
      });
      onTestFinished(() => world.close());
      const { account } = world.cloud;
      const boot = async (instanceId: string): Promise<void> => {
        const service = instanceMetadata(account, instanceId);
        const door = await openMetadataDoor({ service, port: 0, onFault: onProblem });
        onTestFinished(() => door.close());
        const userData = account.ec2.instances.find(instanceId)?.userData ?? '';
        const node = await bootRealNode(Buffer.from(userData, 'base64').toString('utf8'), {
          AWS_EC2_METADATA_SERVICE_ENDPOINT: door.url,
          AWS_ENDPOINT_URL: world.aws.url,
        });
        onTestFinished(() => node.close());
        expect(node.systemctlCalls).toEqual([
          'daemon-reload',
          'enable kubelet.service',
          'restart --no-block kubelet.service',
        ]);
      };
      account.ec2.onInstanceStateChange(({ instanceId }, state) => {
        if (state === 'running') boot(instanceId).catch(onProblem);
      });
      addGroup(
        world,
        await textOf(
          'script',
          `--cluster ${clusterName} --label example.com/team=web --service-cidr 10.0.0.0/24`,
        ),
      );
      const { operations } = account.autoScaling;
      operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
      const member = () => operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0];
      await expect
        .poll(() => member()?.LifecycleState, { timeout: 150_000, interval: 500 })
        .toBe('InService');
      const { body } = await world.admin.sendHttp({
        method: 'GET',
        url: `${world.admin.server}/api/v1/nodes`,
        headers: { authorization: `Bearer ${world.admin.token}` },
        timeoutMilliseconds: 30_000,
      });
      expect(JSON.parse(body).items).toMatchObject([
        {
          metadata: { labels: { 'example.com/team': 'web' } },
          spec: { providerID: `aws:///${member()?.AvailabilityZone}/${member()?.InstanceId}` },
          status: {
            conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]),
          },
        },
      ]);
      expect(problems).toEqual([]);
    });
  },
);
