import type { AutoScaling } from '../aws/auto-scaling/auto-scaling.ts';
import type { Ec2 } from '../aws/ec2/ec2.ts';
import type { SimulatedIam } from '../aws/iam/iam.ts';
import type { ResourceLookup, Tags } from '../aws/iam/rules/rule.ts';
import type { SimulatedSns } from '../aws/sns/sns.ts';
import type { SimulatedSqs } from '../aws/sqs/sqs.ts';
import type { SimulatedSsm } from '../aws/ssm/ssm.ts';

export interface LookedUpServices {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly iam: SimulatedIam;
  readonly sqs: SimulatedSqs;
  readonly sns: SimulatedSns;
  readonly ssm: SimulatedSsm;
}

interface KeyedTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

const toTags = (tags: readonly KeyedTag[]): Tags =>
  Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));

/** What IAM must know of resources to judge a call: their tags, which group an instance is in, and the boundaries of roles. */
export function createResourceLookup({
  autoScaling,
  ec2,
  iam,
  sqs,
  sns,
  ssm,
}: LookedUpServices): ResourceLookup {
  const groupNamed = (name: string) =>
    autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [name] }).AutoScalingGroups[0];
  const tagsByService: Readonly<Record<string, (arn: string) => Tags | undefined>> = {
    sqs: (arn) => (sqs.controls.hasQueue(arn) ? sqs.controls.tags(arn) : undefined),
    sns: (arn) => sns.controls.tags(arn),
    ssm: (arn) => ssm.controls.tags(arn),
    ec2: (arn) => {
      const instance = ec2.instances.find(arn.split('/').at(-1) ?? '');
      return instance && Object.fromEntries(instance.tags);
    },
    autoscaling: (arn) => {
      const group = groupNamed(arn.split('autoScalingGroupName/')[1] ?? '');
      return group && toTags(group.Tags ?? []);
    },
  };
  return {
    tags: (arn) => tagsByService[arn.split(':')[2] ?? '']?.(arn),
    autoScalingGroupArn: (name) => groupNamed(name)?.AutoScalingGroupARN,
    autoScalingGroupOfInstance: (instanceId) =>
      autoScaling.operations.DescribeAutoScalingInstances({ InstanceIds: [instanceId] })
        .AutoScalingInstances[0]?.AutoScalingGroupName,
    parameterKeyArn: (name) => ssm.controls.keyArn(name),
    roleBoundary: (name) => iam.roleNamed(name)?.permissionsBoundary,
  };
}
