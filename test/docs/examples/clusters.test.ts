import type { CreateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import type { CreateLaunchTemplateRequest } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { tagProblems } from '../../../cli/status/tag-problems.ts';
import { isManaged } from '../../../shared/lifecycle/group.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  terminate,
} from '../../support/drover-world.ts';
import { exampleResources, ofType, type Resource } from './example-template.ts';

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

const nodeHooks = [
  'drover-node-leaving TERMINATING 3600 CONTINUE',
  'drover-node-joining LAUNCHING 3600 CONTINUE',
];

describe('the groups of', () => {
  test.each([
    [files.kubeadm, { EtcdGroup: 'etcd', ControlPlaneGroup: 'control-plane', WorkersGroup: 'worker' }],
    [files.eks, { WorkersGroup: 'worker' }],
  ])('%s are managed, each in its role', (file, roles) => {
    const groups = groupsOf(file);
    expect(
      Object.fromEntries(groups.map(([name, group]) => [name, tagsOf(group)['drover.dev/role']])),
    ).toEqual(roles);
    for (const [name, group] of groups) {
      expect(isManaged({ tags: tagsOf(group) }, clusterName), name).toBe(true);
      expect(tagProblems({ tags: tagsOf(group) })).toEqual([]);
      expect(hooksOf(group)).toEqual(
        tagsOf(group)['drover.dev/role'] === 'etcd'
          ? ['drover-etcd-launch LAUNCHING 3600 ABANDON', 'drover-etcd TERMINATING 3600 CONTINUE']
          : nodeHooks,
      );
    }
  });

  test('OpenShift 3.11 are not, and have no hook: Drover could not drain their nodes', () => {
    const groups = groupsOf(files.openshift);
    expect(groups.map(([name]) => name)).toEqual(['ComputeGroup', 'InfraGroup']);
    for (const [, group] of groups) {
      expect(isManaged({ tags: tagsOf(group) }, clusterName)).toBe(false);
      expect(hooksOf(group)).toEqual([]);
    }
  });

  test.each(Object.values(files))(
    '%s are launched without version 1 of the metadata service, one hop away, and empty at first',
    (file) => {
      const templates = ofType(resourcesOf(file), 'AWS::EC2::LaunchTemplate');
      expect(templates).toHaveLength(groupsOf(file).length);
      for (const [, { Properties }] of templates)
        expect(Properties['LaunchTemplateData']).toMatchObject({
          MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        });
      for (const [, { Properties }] of groupsOf(file)) expect(Properties['MinSize']).toBe('0');
    },
  );
});

/** What of a template the sandbox makes: launch templates and groups, which ask for an instance profile by its ARN. */
function make({ account }: DroverWorld, resources: Readonly<Record<string, Resource>>): void {
  const names = new Map<unknown, string>();
  for (const [logicalId, { Properties }] of ofType(resources, 'AWS::EC2::LaunchTemplate')) {
    const { LaunchTemplateName, LaunchTemplateData } = Properties as unknown as CreateLaunchTemplateRequest;
    const { IamInstanceProfile: _, SecurityGroupIds: __, ...data } = LaunchTemplateData ?? {};
    account.ec2.operations.CreateLaunchTemplate({ LaunchTemplateName, LaunchTemplateData: data });
    names.set(logicalId, LaunchTemplateName ?? '');
  }
  const subnets = account.ec2.instances.subnets().map(({ subnetId }) => subnetId);
  for (const [, { Properties }] of ofType(resources, 'AWS::AutoScaling::AutoScalingGroup')) {
    const { MinSize, MaxSize, LaunchTemplate, TargetGroupARNs: _, ...group } = Properties;
    const { LaunchTemplateId, Version } = LaunchTemplate as {
      readonly LaunchTemplateId: { readonly Ref: string };
      readonly Version: string;
    };
    account.autoScaling.operations.CreateAutoScalingGroup({
      ...(group as unknown as CreateAutoScalingGroupType),
      MinSize: Number(MinSize),
      MaxSize: Number(MaxSize),
      LaunchTemplate: { LaunchTemplateName: names.get(LaunchTemplateId.Ref), Version },
      VPCZoneIdentifier: subnets.join(','),
    });
  }
}

describe('in the sandbox', () => {
  test.each(Object.values(files))('%s gives groups with their tags and hooks', (file) => {
    const world = createDroverWorld();
    const resources = resourcesOf(file);
    make(world, resources);
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
      make(world, resourcesOf(file, { WorkersSize: '2' }));
      const group = `${clusterName}-workers`;
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
      expect(nodesOf(world).length).toBeLessThanOrEqual(2);
      expect(world.problems).toEqual([]);
    },
  );
});
