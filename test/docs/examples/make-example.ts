import type {
  CreateAutoScalingGroupType,
  MixedInstancesPolicy,
  WarmPoolState,
} from '@aws-sdk/client-auto-scaling';
import type { CreateLaunchTemplateRequest } from '@aws-sdk/client-ec2';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { exampleSubnets, ofType, type Resource } from './example-template.ts';

/** What of a template the sandbox makes: launch templates, groups and warm pools, in its own subnets and without an instance profile. */
export function makeExample({ account }: DroverWorld, resources: Readonly<Record<string, Resource>>): void {
  const names = new Map<unknown, string>();
  for (const [logicalId, { Properties }] of ofType(resources, 'AWS::EC2::LaunchTemplate')) {
    const { LaunchTemplateName, LaunchTemplateData } = Properties as unknown as CreateLaunchTemplateRequest;
    const { IamInstanceProfile: _, SecurityGroupIds: __, ...data } = LaunchTemplateData ?? {};
    account.ec2.operations.CreateLaunchTemplate({ LaunchTemplateName, LaunchTemplateData: data });
    names.set(logicalId, LaunchTemplateName ?? '');
  }
  const subnets = account.ec2.instances.subnets().map(({ subnetId }) => subnetId);
  for (const [, { Properties }] of ofType(resources, 'AWS::AutoScaling::AutoScalingGroup')) {
    const { MinSize, MaxSize, LaunchTemplate, MixedInstancesPolicy, VPCZoneIdentifier, ...others } =
      Properties;
    const { TargetGroupARNs: _, ...group } = others;
    const policy = MixedInstancesPolicy as Policy | undefined;
    const launched = (LaunchTemplate ?? policy?.LaunchTemplate.LaunchTemplateSpecification) as Specification;
    const specification = {
      LaunchTemplateName: names.get(launched.LaunchTemplateId.Ref),
      Version: launched.Version,
    };
    account.autoScaling.operations.CreateAutoScalingGroup({
      ...(group as unknown as CreateAutoScalingGroupType),
      MinSize: Number(MinSize),
      MaxSize: Number(MaxSize),
      ...(policy
        ? {
            MixedInstancesPolicy: {
              ...policy,
              LaunchTemplate: { ...policy.LaunchTemplate, LaunchTemplateSpecification: specification },
            },
          }
        : { LaunchTemplate: specification }),
      VPCZoneIdentifier: subnetsOf(VPCZoneIdentifier)
        .map((id) => subnets[exampleSubnets.indexOf(id)])
        .join(','),
    });
  }
  for (const [, { Properties }] of ofType(resources, 'AWS::AutoScaling::WarmPool')) {
    const { AutoScalingGroupName: of, PoolState, MinSize, MaxGroupPreparedCapacity } = Properties;
    const { Ref } = of as { readonly Ref: string };
    account.autoScaling.operations.PutWarmPool({
      AutoScalingGroupName: String(resources[Ref]?.Properties['AutoScalingGroupName']),
      PoolState: PoolState as WarmPoolState,
      MinSize: Number(MinSize),
      MaxGroupPreparedCapacity: Number(MaxGroupPreparedCapacity),
    });
  }
}

interface Specification {
  readonly LaunchTemplateId: { readonly Ref: string };
  readonly Version: string;
}

interface Policy extends Pick<MixedInstancesPolicy, 'InstancesDistribution'> {
  readonly LaunchTemplate: {
    readonly LaunchTemplateSpecification: Specification;
    readonly Overrides: { readonly InstanceType: string }[];
  };
}

/** The subnets of a group: the whole parameter, or a list of some. */
export const subnetsOf = (identifier: unknown): readonly (typeof exampleSubnets)[number][] =>
  [identifier].flat().flatMap((one) => String(one).split(',')) as (typeof exampleSubnets)[number][];
