import { describe, expect, test } from 'vitest';
import {
  clusterName,
  createDroverWorld,
  membersOf,
  nodesOf,
  terminate,
} from '../../../local/world/drover-world.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import { tagProblems } from '../../../shared/problems/tag-problems.ts';
import { exampleResources, ofType, type Resource } from './example-template.ts';
import { makeExample } from './make-example.ts';

const files = {
  kubeadm: 'kubeadm/cloudformation/cluster.yml',
  eks: 'eks/cloudformation/cluster.yml',
  openshift: 'openshift-3.11/cloudformation/groups.yml',
} as const;

const resourcesOf = (file: string, parameters: Readonly<Record<string, string>> = {}) =>
  exampleResources(file, { ClusterName: clusterName, ...parameters });

interface Tag {
  readonly Key: string;
  readonly Value: string;
  readonly PropagateAtLaunch: boolean;
}
interface Hook {
  readonly LifecycleHookName: string;
  readonly LifecycleTransition: string;
  readonly HeartbeatTimeout: number;
  readonly DefaultResult: string;
}
const tagsOf = ({ Properties }: Resource) =>
  Object.fromEntries((Properties['Tags'] as readonly Tag[]).map(({ Key, Value }) => [Key, Value]));
const hooksOf = ({ Properties }: Resource) =>
  ((Properties['LifecycleHookSpecificationList'] ?? []) as readonly Hook[]).map(
    ({ LifecycleHookName, LifecycleTransition, HeartbeatTimeout, DefaultResult }) =>
      `${LifecycleHookName} ${LifecycleTransition.replace('autoscaling:EC2_INSTANCE_', '')} ${HeartbeatTimeout} ${DefaultResult}`,
  );
const groupsOf = (file: string) => ofType(resourcesOf(file), 'AWS::AutoScaling::AutoScalingGroup');

/**
 * Auto Scaling registers an instance with the load balancer of the API server only after its launch hook, which waits for that API server: so
 * a control plane gets this hook later.
 */
const hooksOfRole: Readonly<Record<string, readonly string[]>> = {
  worker: ['drover-node-leaving TERMINATING 3600 CONTINUE', 'drover-node-joining LAUNCHING 3600 CONTINUE'],
  'control-plane': ['drover-node-leaving TERMINATING 3600 CONTINUE'],
  etcd: ['drover-etcd-launch LAUNCHING 3600 ABANDON', 'drover-etcd TERMINATING 3600 CONTINUE'],
};

describe('the groups of', () => {
  test.each([
    [
      files.kubeadm,
      {
        EtcdGroup: 'etcd',
        ControlPlaneGroup: 'control-plane',
        WorkersGroupA: 'worker',
        WorkersGroupB: 'worker',
        WorkersGroupC: 'worker',
        SpotGroup: 'worker',
      },
    ],
    [
      files.eks,
      { WorkersGroupA: 'worker', WorkersGroupB: 'worker', WorkersGroupC: 'worker', SpotGroup: 'worker' },
    ],
  ])('%s are managed, each in its role', (file, roles) => {
    const groups = groupsOf(file);
    expect(
      Object.fromEntries(groups.map(([name, group]) => [name, tagsOf(group)['drover.dev/role']])),
    ).toEqual(roles);
    for (const [name, group] of groups) {
      expect(isManaged({ tags: tagsOf(group) }, clusterName), name).toBe(true);
      expect(tagProblems({ autoScalingGroupName: 'group', tags: tagsOf(group) })).toEqual([]);
      expect(hooksOf(group)).toEqual(hooksOfRole[tagsOf(group)['drover.dev/role'] ?? '']);
    }
  });

  test('OpenShift 3.11 are managed only if Managed is yes: without a deployment nothing would drain their nodes', () => {
    const groups = groupsOf(files.openshift);
    expect(groups.map(([name]) => name)).toEqual([
      'ComputeGroupA',
      'ComputeGroupB',
      'ComputeGroupC',
      'InfraGroupA',
      'InfraGroupB',
      'InfraGroupC',
      'SpotGroup',
    ]);
    for (const [, group] of groups) {
      expect(isManaged({ tags: tagsOf(group) }, clusterName)).toBe(false);
      expect(hooksOf(group)).toEqual([]);
    }
    const managed = ofType(
      resourcesOf(files.openshift, { Managed: 'yes' }),
      'AWS::AutoScaling::AutoScalingGroup',
    );
    expect(managed).toHaveLength(groups.length);
    for (const [, group] of managed) {
      expect(isManaged({ tags: tagsOf(group) }, clusterName)).toBe(true);
      expect(hooksOf(group)).toEqual(hooksOfRole['worker']);
    }
  });

  test.each(Object.values(files))(
    '%s are launched without version 1 of the metadata service, one hop away, and empty at first',
    (file) => {
      const templates = ofType(resourcesOf(file), 'AWS::EC2::LaunchTemplate');
      expect(templates.length).toBeGreaterThan(0);
      for (const [, { Properties }] of templates)
        expect(Properties['LaunchTemplateData']).toMatchObject({
          MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        });
      for (const [, { Properties }] of groupsOf(file)) expect(Properties['MinSize']).toBe('0');
    },
  );
});

describe('CloudFormation takes', () => {
  /** "MinInstancesInService must be less than the MaxSize of the Auto Scaling group". */
  const sizes = { EtcdSize: '3', ControlPlaneSize: '3', WorkersSize: '1', ComputeSize: '1', InfraSize: '1' };

  test.each(Object.values(files))(
    'a rolling update of each group of %s at the sizes of its README',
    (file) => {
      for (const [name, group] of ofType(resourcesOf(file, sizes), 'AWS::AutoScaling::AutoScalingGroup')) {
        const { MinInstancesInService } = group.UpdatePolicy?.AutoScalingRollingUpdate ?? {};
        expect(Number(MinInstancesInService), name).toBeLessThan(Number(group.Properties['MaxSize']));
      }
    },
  );
});

describe('the security groups of', () => {
  const named = (value: unknown): string => {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return value === undefined
      ? 'all'
      : Object.values(value as object)
          .flat()
          .join('.');
  };
  const admitted = (file: string) =>
    ofType(resourcesOf(file), 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => {
      const [from, to, first, last] = ['SourceSecurityGroupId', 'GroupId', 'FromPort', 'ToPort'].map((name) =>
        named(Properties[name]),
      );
      return `${from} -> ${to} ${first}-${last}`;
    });

  test('kubeadm admit Drover and administrators to the API server and etcd, and nothing else from outside', () => {
    const [drover, droverOfEtcd, administrators] = [
      'sg-0123456789abcdef0',
      'sg-0123456789abcdef1',
      'sg-0123456789abcdef9',
    ];
    expect(admitted(files.kubeadm)).toEqual([
      'NodesSecurityGroup -> NodesSecurityGroup all-all',
      'EndpointSecurityGroup -> NodesSecurityGroup 6443-6443',
      'NodesSecurityGroup -> EndpointSecurityGroup 6443-6443',
      `${drover} -> EndpointSecurityGroup 6443-6443`,
      `${administrators} -> EndpointSecurityGroup 6443-6443`,
      'NodesSecurityGroup -> EtcdSecurityGroup 2379-2379',
      `${droverOfEtcd} -> EtcdSecurityGroup 2379-2379`,
      `${administrators} -> EtcdSecurityGroup 2379-2379`,
      'EtcdSecurityGroup -> EtcdSecurityGroup 2379-2380',
    ]);
  });

  test('EKS admit both to its private endpoint', () => {
    expect(admitted(files.eks)).toEqual([
      'sg-0123456789abcdef0 -> Cluster.ClusterSecurityGroupId 443-443',
      'sg-0123456789abcdef9 -> Cluster.ClusterSecurityGroupId 443-443',
    ]);
  });
});

describe('in the sandbox', () => {
  test.each(Object.values(files))('%s gives groups with their tags and hooks', (file) => {
    const world = createDroverWorld();
    const resources = resourcesOf(file);
    makeExample(world, resources);
    const { AutoScalingGroups } = world.account.autoScaling.operations.DescribeAutoScalingGroups({});
    expect(AutoScalingGroups).toHaveLength(ofType(resources, 'AWS::AutoScaling::AutoScalingGroup').length);
    for (const { AutoScalingGroupName = '', Tags = [] } of AutoScalingGroups) {
      const [, group] =
        ofType(resources, 'AWS::AutoScaling::AutoScalingGroup').find(
          ([, { Properties }]) => Properties['AutoScalingGroupName'] === AutoScalingGroupName,
        ) ?? [];
      expect(Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]))).toEqual(group && tagsOf(group));
      const { LifecycleHooks } = world.account.autoScaling.operations.DescribeLifecycleHooks({
        AutoScalingGroupName,
      });
      expect(LifecycleHooks).toHaveLength(group ? hooksOf(group).length : -1);
    }
  });

  test.each([files.kubeadm, files.eks])(
    'workers of %s are in service once their nodes are Ready, and leave drained',
    async (file) => {
      const world = createDroverWorld();
      makeExample(world, resourcesOf(file, { WorkersSize: '2' }));
      const group = `${clusterName}-workers-eu-west-1b`;
      const serving = () =>
        membersOf(world, group).filter(({ LifecycleState }) => LifecycleState === 'InService');
      await world.timeline.until(() => serving().length === 2, {
        withinSeconds: 600,
        what: 'the group in service',
      });
      expect(world.lines.some(({ functionName }) => functionName === 'node-joining')).toBe(true);
      const leaving = serving()[0]?.InstanceId ?? '';
      terminate(world, leaving);
      await world.timeline.until(
        () => !membersOf(world, group).some(({ InstanceId }) => InstanceId === leaving),
        {
          withinSeconds: 300,
          what: 'the end of the instance',
        },
      );
      expect(world.lines.some(({ functionName }) => functionName === 'node-leaving')).toBe(true);
      expect(nodesOf(world).length).toBeLessThanOrEqual(6);
      expect(world.problems).toEqual([]);
    },
  );

  test.each(Object.values(files))(
    'a Spot Instance of %s at risk drains and leaves once another one is in service',
    async (file) => {
      const is311 = file === files.openshift;
      const world = createDroverWorld(is311 ? { kubernetes: { release: '1.11' } } : {});
      makeExample(world, resourcesOf(file, { SpotSize: '2', ...(is311 && { Managed: 'yes' }) }));
      const group = `${clusterName}-spot`;
      const serving = () =>
        membersOf(world, group).filter(({ LifecycleState }) => LifecycleState === 'InService');
      const inService = (count: number) =>
        world.timeline.until(() => serving().length === count, {
          withinSeconds: 600,
          what: 'the group in service',
        });
      await inService(2);
      const advised = serving()[0]?.InstanceId ?? '';
      world.account.ec2.accidents.recommendRebalance(advised);
      const least: number[] = [];
      await world.timeline.until(
        () => {
          least.push(serving().length);
          return !membersOf(world, group).some(({ InstanceId }) => InstanceId === advised);
        },
        { withinSeconds: 900, what: 'the end of the instance' },
      );
      expect(Math.min(...least)).toBe(2);
      expect(world.lines.some(({ functionName }) => functionName === 'node-leaving')).toBe(true);
      expect(world.problems).toEqual([]);
    },
  );

  test.each([files.kubeadm, files.eks])(
    'an instance in a warm pool of %s is stopped once its user data had its time, and serves once it leaves the pool',
    async (file) => {
      const world = createDroverWorld();
      makeExample(world, resourcesOf(file, { WorkersSize: '1', WorkersWarmPoolSize: '1' }));
      const AutoScalingGroupName = `${clusterName}-workers-eu-west-1a`;
      const { autoScaling } = world.account;
      const pooled = () => autoScaling.operations.DescribeWarmPool({ AutoScalingGroupName }).Instances[0];
      await world.timeline.until(() => pooled()?.LifecycleState === 'Warmed:Stopped', {
        withinSeconds: 1200,
        what: 'the pool',
      });
      await world.timeline.pass(60);
      const { InstanceId } = pooled() ?? {};
      autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName, DesiredCapacity: 2 });
      await world.timeline.until(
        () =>
          membersOf(world, AutoScalingGroupName).some(
            (one) => one.InstanceId === InstanceId && one.LifecycleState === 'InService',
          ),
        { withinSeconds: 600, what: 'the instance in service' },
      );
      expect(world.problems).toEqual([]);
    },
  );
});
