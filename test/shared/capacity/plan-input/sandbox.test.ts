import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { type _InstanceType, type CreateLaunchTemplateRequest } from '@aws-sdk/client-ec2';
import { createSandbox, type Sandbox } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { readGroups } from '../../../../shared/aws/auto-scaling.ts';
import { createPlanLaunches } from '../../../../shared/aws/plan-launches.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import type { PlanInput } from '../../../../shared/capacity/plan-input/plan-input.ts';
import { readPlanInput } from '../../../../shared/capacity/plan-input/read-plan-input.ts';
import { createPlanCluster } from '../../../../shared/kubernetes/plan-cluster.ts';
import { podOf } from '../plan/fixtures.ts';

const clusterName = 'sandbox';
const worker = { 'drover.dev/role': 'worker' };
const template = 'k8s.io/cluster-autoscaler/node-template';

/** The production readers over a simulated account and cluster. */
function readerOf(sandbox: Sandbox, credentials = sandbox.aws().credentials) {
  const { region } = sandbox.aws();
  const bearerToken = sandbox.kubernetes.adminToken;
  const { awsRequestHandler: requestHandler, sendHttp } = sandbox.doors('test');
  const connection = {
    region,
    credentials: () => credentials,
    requestHandler,
    clock: sandbox.clock,
    maxAttempts: 1,
  };
  const kubernetes = { server: 'https://kubernetes.sandbox', tls: {}, bearerToken };
  return async (): Promise<PlanInput> =>
    await readPlanInput({
      cluster: createPlanCluster({
        connections: { connect: () => Promise.resolve(kubernetes), invalidate: () => undefined },
        sendHttp,
      }),
      launches: createPlanLaunches(connection),
      groups: await readGroups(new AutoScalingClient(sandbox.aws()), clusterName),
      clusterName,
    });
}

const templateOf = ({ groups }: PlanInput, name = 'workers') =>
  groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.template.node;

function setTemplate(
  { account: { ec2 } }: Sandbox,
  LaunchTemplateData: CreateLaunchTemplateRequest['LaunchTemplateData'],
  name = 'other',
) {
  const LaunchTemplateName = `${name}-template`;
  ec2.operations.CreateLaunchTemplate({ LaunchTemplateName, LaunchTemplateData });
  return { LaunchTemplate: { LaunchTemplateName, Version: '$Latest' } };
}

describe('a group without nodes', () => {
  it.each(['m5.large', 'c5.4xlarge', 'm6g.large', 't3.medium', 'm5.metal'] satisfies _InstanceType[])(
    'is planned with what its nodes have later, for %s',
    async (instanceType) => {
      const sandbox = createSandbox();
      sandbox.addGroup({ autoScalingGroupName: 'workers', size: 0, tags: worker, instanceType });
      const agent = { metadata: { name: 'aws-node', namespace: 'kube-system' }, spec: daemonSetSpec };
      await sandbox.fetch('/apis/apps/v1/namespaces/kube-system/daemonsets', post(agent));
      const read = readerOf(sandbox);
      const declared = templateOf(await read());
      sandbox.account.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: 'workers',
        DesiredCapacity: 1,
      });
      await sandbox.pass(300);
      const input = await read();
      expect(input.nodes.map(({ node }) => [node.autoScalingGroupName, node.closed])).toEqual([
        ['workers', undefined],
      ]);
      const learnt = templateOf(input);
      expect(declared?.allocatable).toEqual(
        new Map(['cpu', 'memory', 'pods'].map((name) => [name, learnt?.allocatable.get(name)])),
      );
      const [labels] = learnt?.labelSets ?? [{}];
      expect(declared?.labelSets[0]).toMatchObject(labels);
    },
  );

  it('has the least of the types of a mixed instances policy, and the tags of cluster-autoscaler', async () => {
    const sandbox = createSandbox();
    const types = ['m5.xlarge', 'm5.large', 'm5a.large'];
    sandbox.addGroup({
      autoScalingGroupName: 'workers',
      size: 0,
      tags: {
        ...worker,
        [`${template}/taint/spot`]: 'true:NoSchedule',
        [`${template}/resources/pods`]: '20',
      },
      settings: {
        LaunchTemplate: undefined,
        MixedInstancesPolicy: {
          LaunchTemplate: {
            LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
            Overrides: types.map((InstanceType) => ({ InstanceType })),
          },
        },
      },
    });
    const node = templateOf(await readerOf(sandbox)());
    expect([node?.allocatable.get('cpu'), node?.allocatable.get('pods')]).toEqual([1930, 20]);
    expect(node?.taints).toEqual([{ key: 'spot', value: 'true', effect: 'NoSchedule' }]);
    expect(node?.labelSets[0]['node.kubernetes.io/instance-type']).toBeUndefined();
  });

  it.each([
    ['g4dn.12xlarge', 'nvidia.com/gpu', 4],
    ['g6f.2xlarge', 'nvidia.com/gpu', 1],
    ['inf2.24xlarge', 'aws.amazon.com/neuron', 6],
  ] as const)('has the accelerators of %s as %s', async (instanceType, resource, count) => {
    const sandbox = createSandbox();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 0, tags: worker, instanceType });
    expect(templateOf(await readerOf(sandbox)())?.allocatable.get(resource)).toBe(count);
  });

  it('has the storage of its root volume', async () => {
    const sandbox = createSandbox();
    const settings = setTemplate(sandbox, {
      InstanceType: 'm5.large',
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50 } }],
    });
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 0, tags: worker, settings });
    expect(templateOf(await readerOf(sandbox)())?.allocatable.get('ephemeral-storage')).toBe(44 * 1024 ** 3);
  });

  it('is not planned if EC2 selects its types by attributes or does not know them', async () => {
    const sandbox = createSandbox();
    const attributes = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } };
    const settings = setTemplate(sandbox, { InstanceRequirements: attributes });
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 0, tags: worker, settings });
    const typeless = setTemplate(sandbox, {}, 'typeless');
    sandbox.addGroup({ autoScalingGroupName: 'typeless', size: 0, tags: worker, settings: typeless });
    const unknown = setTemplate(sandbox, { InstanceType: 'm99.large' as never }, 'unknown');
    sandbox.addGroup({ autoScalingGroupName: 'unknown', size: 0, tags: worker, settings: unknown });
    const gone = setTemplate(sandbox, { InstanceType: 'm5.large' }, 'gone');
    sandbox.addGroup({ autoScalingGroupName: 'gone', size: 0, tags: worker, settings: gone });
    sandbox.account.ec2.operations.DeleteLaunchTemplate({ LaunchTemplateName: 'gone-template' });
    const without = (await readerOf(sandbox)()).groupsWithoutTemplate;
    expect(
      without.map(({ autoScalingGroupName, reason }) => [autoScalingGroupName, reason.split(':')[0]]),
    ).toEqual([
      ['gone', expect.stringMatching(/and its launch template lt-[0-9a-f]+ has no version \$Latest$/)],
      ['typeless', 'it has no Ready node, and its launch template has no instance type'],
      ['unknown', 'it has no Ready node, and EC2 has no instance type m99.large in this region'],
      ['workers', 'it has no Ready node, and EC2 selects its instance types by attributes'],
    ]);
  });

  it('has the labels and taints of its managed node group, which are not tags of the group', async () => {
    const sandbox = createSandbox();
    const { eks, ec2, autoScaling } = sandbox.account;
    const settings = setTemplate(sandbox, { InstanceType: 'm5.large' });
    eks.operations.CreateCluster({ name: clusterName, roleArn: undefined, resourcesVpcConfig: undefined });
    const { nodegroup } = eks.operations.CreateNodegroup({
      clusterName,
      nodegroupName: 'blue',
      nodeRole: undefined,
      subnets: ec2.instances.subnets().map(({ subnetId }) => subnetId),
      launchTemplate: { name: settings.LaunchTemplate.LaunchTemplateName },
      scalingConfig: { minSize: 0, maxSize: 4, desiredSize: 0 },
      labels: { pool: 'blue' },
      capacityType: 'SPOT',
      amiType: 'WINDOWS_CORE_2022_x86_64',
      taints: [{ key: 'dedicated', value: 'blue', effect: 'NO_SCHEDULE' }],
    });
    const name = nodegroup.resources.autoScalingGroups[0]?.name ?? '';
    autoScaling.operations.CreateOrUpdateTags({
      Tags: Object.entries({ ...worker, [`kubernetes.io/cluster/${clusterName}`]: 'owned' }).map(
        ([Key, Value]) => ({
          ResourceId: name,
          ResourceType: 'auto-scaling-group',
          Key,
          Value,
          PropagateAtLaunch: false,
        }),
      ),
    });
    const node = templateOf(await readerOf(sandbox)(), name);
    // From zero nodes, groups of Windows looked like Linux (autoscaler#7082).
    expect(node?.labelSets[0]).toMatchObject({
      pool: 'blue',
      'eks.amazonaws.com/nodegroup': 'blue',
      'eks.amazonaws.com/capacityType': 'SPOT',
      'kubernetes.io/os': 'windows',
      'beta.kubernetes.io/os': 'windows',
    });
    expect(node?.taints).toEqual([{ key: 'dedicated', value: 'blue', effect: 'NoSchedule' }]);
  });

  it('is planned from its tags if the caller may not read EC2, and else not', async () => {
    const sandbox = createSandbox();
    const resources = { cpu: '4', memory: '8Gi', pods: '58' };
    const tags = Object.entries(resources).map(([name, quantity]) => [
      `${template}/resources/${name}`,
      quantity,
    ]);
    sandbox.addGroup({ autoScalingGroupName: 'bare', size: 0, tags: worker });
    sandbox.addGroup({
      autoScalingGroupName: 'tagged',
      size: 0,
      tags: { ...worker, ...Object.fromEntries(tags) },
    });
    const user = (actions: readonly string[]) =>
      sandbox.account.iam.putUser({
        userName: `may-${actions.length}`,
        policies: [
          { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] },
        ],
      });
    for (const [allowed, missing] of [
      [['sts:GetCallerIdentity'], 'ec2:DescribeLaunchTemplateVersions'],
      [['sts:GetCallerIdentity', 'ec2:DescribeLaunchTemplateVersions'], 'ec2:DescribeInstanceTypes'],
    ] as const) {
      const input = await readerOf(sandbox, user(allowed))();
      expect(input.groups.map(({ autoScalingGroupName }) => autoScalingGroupName)).toEqual(['tagged']);
      expect(input.groupsWithoutTemplate).toEqual([
        { autoScalingGroupName: 'bare', reason: expect.stringContaining(`and ${missing} is denied: launch`) },
      ]);
    }
  });
});

const daemonSetSpec = {
  selector: { matchLabels: { app: 'aws-node' } },
  template: {
    metadata: { labels: { app: 'aws-node' } },
    spec: { tolerations: [{ operator: 'Exists' }], containers: [{ name: 'main', image: 'example' }] },
  },
};

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('a cluster with nodes', () => {
  it('is planned with its pods, those that wait and what is asked', async () => {
    const sandbox = createSandbox();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 2, tags: worker });
    await sandbox.pass(300);
    const resources = { requests: { cpu: '3' } };
    const huge = {
      metadata: { name: 'huge' },
      spec: { containers: [{ name: 'main', image: 'example', resources }] },
    };
    await sandbox.fetch('/api/v1/namespaces/default/pods', post(huge));
    await sandbox.pass(30);
    const input = await readerOf(sandbox)();
    expect(input.pending.map(({ name }) => name)).toEqual(['huge']);
    expect(input.warnings).toEqual([]);
    const pods = ['a', 'b', 'c'].map((name) =>
      plannedPodOf(podOf(name, { requests: { cpu: '1' } }), input.surroundings),
    );
    const plan = planNodes({ nodes: input.nodes, groups: input.groups, pods });
    expect([plan.fitNow, plan.newNodes.get('workers')]).toEqual([2, 1]);
  });
});
