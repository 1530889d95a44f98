import type {
  CreateTargetGroupInput,
  DeleteTargetGroupInput,
  DescribeTargetGroupAttributesInput,
  DescribeTargetGroupsInput,
  ModifyTargetGroupAttributesInput,
  TargetGroup as TargetGroupShape,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { page, pageSize } from '../paging.ts';
import { findTargetGroup, type LoadBalancingWorld, loadBalancingErrors, type TargetGroup } from './model.ts';

export const targetGroupOperations = (world: LoadBalancingWorld) => ({
  CreateTargetGroup: (input: CreateTargetGroupInput) => {
    const group = newTargetGroup(world, input);
    world.targetGroups.set(group.arn, group);
    return { TargetGroups: [toShape(group)] };
  },
  DeleteTargetGroup: ({ TargetGroupArn }: DeleteTargetGroupInput): Record<string, never> => {
    world.targetGroups.delete(TargetGroupArn ?? '');
    return {};
  },
  DescribeTargetGroups: (input: DescribeTargetGroupsInput) => {
    const { items, nextToken } = page(askedFor(world, input), {
      nextToken: input.Marker,
      size: pageSize(input.PageSize, { default: 400, maximum: 400 }),
      invalidToken: () => loadBalancingErrors.validation('Invalid Marker'),
    });
    return { TargetGroups: items.map(toShape), NextMarker: nextToken };
  },
  DescribeTargetGroupAttributes: ({ TargetGroupArn }: DescribeTargetGroupAttributesInput) => ({
    Attributes: attributesOf(findTargetGroup(world, TargetGroupArn)),
  }),
  ModifyTargetGroupAttributes: (input: ModifyTargetGroupAttributesInput) => {
    const group = findTargetGroup(world, input.TargetGroupArn);
    for (const { Key = '', Value = '' } of input.Attributes ?? []) setAttribute(group, Key, Value);
    return { Attributes: attributesOf(group) };
  },
});

const delayKey = 'deregistration_delay.timeout_seconds';

function setAttribute(group: TargetGroup, key: string, value: string): void {
  const seconds = Number(value);
  if (key === delayKey && !(Number.isInteger(seconds) && seconds >= 0 && seconds <= 3600)) {
    throw loadBalancingErrors.validation(`'${value}' is not a valid value for ${delayKey}: 0 to 3600`);
  }
  group.attributes.set(key, value);
}

const attributesOf = ({ attributes }: TargetGroup) => [...attributes].map(([Key, Value]) => ({ Key, Value }));

function newTargetGroup(world: LoadBalancingWorld, input: CreateTargetGroupInput): TargetGroup {
  const { Name: name } = input;
  if (name === undefined) throw loadBalancingErrors.validation('A target group name must be specified');
  if ([...world.targetGroups.values()].some((group) => group.name === name))
    throw loadBalancingErrors.duplicate(name);
  return {
    arn: `arn:aws:elasticloadbalancing:${world.region}:${world.accountId}:targetgroup/${name}/${world.random.hex(16)}`,
    name,
    settings: input,
    attributes: new Map([[delayKey, '300']]),
    targets: new Map(),
  };
}

function askedFor(world: LoadBalancingWorld, input: DescribeTargetGroupsInput): TargetGroup[] {
  const { TargetGroupArns: arns = [], Names: names = [] } = input;
  if (arns.length > 0) return arns.map((arn) => findTargetGroup(world, arn));
  const all = [...world.targetGroups.values()];
  const missing = names.find((name) => !all.some((group) => group.name === name));
  if (missing !== undefined) throw loadBalancingErrors.notFound(missing);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function toShape({ arn, name, settings }: TargetGroup): TargetGroupShape {
  return {
    TargetGroupArn: arn,
    TargetGroupName: name,
    Protocol: settings.Protocol ?? 'HTTP',
    Port: settings.Port ?? 80,
    VpcId: settings.VpcId,
    HealthCheckProtocol: settings.HealthCheckProtocol ?? 'HTTP',
    HealthCheckPort: settings.HealthCheckPort ?? 'traffic-port',
    HealthCheckEnabled: true,
    HealthCheckPath: settings.HealthCheckPath ?? '/',
    TargetType: settings.TargetType ?? 'instance',
    LoadBalancerArns: [],
  };
}
