import type { CreateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import type { CreateLaunchTemplateRequest } from '@aws-sdk/client-ec2';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { ofType, type Resource } from './example-template.ts';

/** What of a template the sandbox makes: launch templates and groups, which ask for an instance profile by its ARN. */
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
