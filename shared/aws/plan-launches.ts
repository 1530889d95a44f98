import {
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
  type InstanceTypeInfo,
  type ResponseLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { DescribeNodegroupCommand, type EKSClient } from '@aws-sdk/client-eks';
import { lazily } from '../base/lazily.ts';
import type { GroupLaunch } from '../capacity/plan-input/declared-node.ts';
import type { InstanceTypeFacts } from '../capacity/plan-input/instance-capacity.ts';
import type { PlanLaunches } from '../capacity/plan-input/plan-input.ts';
import { type AutoScalingGroup, eksNodegroupOf, type LaunchTemplateVersion } from '../groups/group.ts';
import { ec2Client, eksClient } from './clients.ts';
import type { AwsConnection } from './connection.ts';
import { refusalOf, required } from './errors.ts';
import { isTemplateNotFound, templateReference } from './launch-templates.ts';
import { podAddresses } from './pod-addresses.ts';

/** What groups launch, over the APIs of EC2 and EKS. */
export function createPlanLaunches(connection: AwsConnection): PlanLaunches {
  const ec2 = lazily(() => ec2Client(connection));
  const eks = lazily(() => eksClient(connection));
  return {
    readLaunches: async (groups) => {
      const sources = await Promise.all(groups.map((group) => readSource(ec2(), group)));
      const names = new Set(sources.flatMap(({ types }) => ('unknown' in types ? [] : types)));
      const infos = await unlessDenied('ec2:DescribeInstanceTypes', () => describeTypes(ec2(), [...names]));
      const launches = sources.map(async ({ group, types, volumeGibibytes }) => {
        const nodegroup = await readNodegroup(eks, group);
        const launch: GroupLaunch = {
          types: 'unknown' in types ? types : factsOf(types, infos),
          ...(volumeGibibytes !== undefined && { volumeGibibytes }),
          ...(nodegroup && { nodegroup }),
        };
        return [group.autoScalingGroupName, launch] as const;
      });
      return new Map(await Promise.all(launches));
    },
  };
}

interface Unknown {
  readonly unknown: string;
}

/** The source of the instances of a group, as far as it is known. */
interface Source {
  readonly group: AutoScalingGroup;
  readonly types: readonly string[] | Unknown;
  readonly volumeGibibytes?: number;
}

async function readSource(client: EC2Client, group: AutoScalingGroup): Promise<Source> {
  const { template, overrides = [] } = group.launchSource ?? {};
  if (template === undefined)
    return { group, types: { unknown: 'it has a launch configuration, which Drover does not read' } };
  const main = await readTemplate(client, template);
  const volumeGibibytes = 'unknown' in main ? undefined : volumeOf(main);
  const listed = overrides.length === 0 ? [{}] : overrides;
  const types = await Promise.all(
    listed.map(async (override) => {
      if (override.selectsByAttributes) return byAttributes;
      if (override.instanceType !== undefined) return [override.instanceType];
      return typesOf(override.template === undefined ? main : await readTemplate(client, override.template));
    }),
  );
  const unknown = types.find((found) => 'unknown' in found);
  return {
    group,
    types: unknown ?? [...new Set(types.flatMap((found) => ('unknown' in found ? [] : found)))],
    ...(volumeGibibytes !== undefined && { volumeGibibytes }),
  };
}

const byAttributes: Unknown = { unknown: 'EC2 selects its instance types by attributes' };

function typesOf(data: ResponseLaunchTemplateData | Unknown): readonly string[] | Unknown {
  if ('unknown' in data) return data;
  if (data.InstanceRequirements) return byAttributes;
  return data.InstanceType === undefined
    ? { unknown: 'its launch template has no instance type' }
    : [data.InstanceType];
}

/** The names under which AMIs of Linux have their root volume. */
const rootDevices: readonly (string | undefined)[] = ['/dev/xvda', '/dev/sda1'];

/** The size of the root volume; undefined with further volumes, because images such as Bottlerocket keep pods on the second one. */
function volumeOf({ BlockDeviceMappings = [] }: ResponseLaunchTemplateData): number | undefined {
  const [first, ...others] = BlockDeviceMappings;
  return others.length === 0 && rootDevices.includes(first?.DeviceName) ? first?.Ebs?.VolumeSize : undefined;
}

async function readTemplate(
  client: EC2Client,
  { nameOrId, version }: LaunchTemplateVersion,
): Promise<ResponseLaunchTemplateData | Unknown> {
  try {
    const answer = await unlessDenied('ec2:DescribeLaunchTemplateVersions', () =>
      client.send(
        new DescribeLaunchTemplateVersionsCommand({ ...templateReference(nameOrId), Versions: [version] }),
      ),
    );
    if ('unknown' in answer) return answer;
    const { LaunchTemplateVersions, $metadata } = answer;
    const [found] = required(LaunchTemplateVersions, { name: 'LaunchTemplateVersions', $metadata });
    return found?.LaunchTemplateData ?? notFound(nameOrId, version);
  } catch (error) {
    if (!isTemplateNotFound(error)) throw error;
    return notFound(nameOrId, version);
  }
}

const notFound = (nameOrId: string, version: string): Unknown => ({
  unknown: `its launch template ${nameOrId} has no version ${version}`,
});

/** The caller's role may lack a right that is only needed for groups without a node. Their tags may still say enough. */
async function unlessDenied<T extends object>(action: string, call: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await call();
  } catch (error) {
    if (refusalOf(error) !== 'denied') throw error;
    return { unknown: `${action} is denied` };
  }
}

/** A filter has at most 200 values (EC2 API reference), and an answer 100 types. */
const namesPerCall = 100;

/** The types that exist in this region. With a filter, EC2 leaves unknown names out instead of refusing all. */
async function describeTypes(
  client: EC2Client,
  names: readonly string[],
): Promise<ReadonlyMap<string, InstanceTypeFacts>> {
  const infos: InstanceTypeInfo[] = [];
  for (let start = 0; start < names.length; start += namesPerCall) {
    const Filters = [{ Name: 'instance-type', Values: names.slice(start, start + namesPerCall) }];
    let NextToken: string | undefined;
    do {
      const answer = await client.send(new DescribeInstanceTypesCommand({ Filters, NextToken }));
      infos.push(...required(answer.InstanceTypes, { name: 'InstanceTypes', $metadata: answer.$metadata }));
      ({ NextToken } = answer);
    } while (NextToken !== undefined);
  }
  return new Map(infos.map((info) => [info.InstanceType ?? '', toFacts(info)]));
}

function factsOf(
  names: readonly string[],
  infos: ReadonlyMap<string, InstanceTypeFacts> | Unknown,
): GroupLaunch['types'] {
  if ('unknown' in infos) return infos;
  const missing = names.filter((name) => !infos.has(name));
  const [first, ...others] = names.flatMap((name) => infos.get(name) ?? []);
  return first === undefined || missing.length > 0
    ? { unknown: `EC2 has no instance type ${missing.join(', ')} in this region` }
    : [first, ...others];
}

function toFacts(info: InstanceTypeInfo): InstanceTypeFacts {
  const { instanceType, cpus, interfaces, ipv4AddressesPerInterface } = podAddresses(info);
  return {
    instanceType,
    cpus,
    interfaces,
    ipv4AddressesPerInterface,
    architecture: info.ProcessorInfo?.SupportedArchitectures?.includes('arm64') ? 'arm64' : 'amd64',
    memoryMebibytes: info.MemoryInfo?.SizeInMiB ?? 0,
    devices: devicesOf(info),
  };
}

/** The resources that the device plugins of NVIDIA, AMD and AWS Neuron register. A share of a GPU is one for the operating system, and 0 in Count. */
function devicesOf({ GpuInfo, NeuronInfo }: InstanceTypeInfo): InstanceTypeFacts['devices'] {
  const gpusOf = (manufacturer: string): number =>
    (GpuInfo?.Gpus ?? [])
      .filter(({ Manufacturer }) => Manufacturer === manufacturer)
      .reduce((sum, { Count = 0, LogicalGpuCount = Count }) => sum + LogicalGpuCount, 0);
  const neurons = (NeuronInfo?.NeuronDevices ?? []).reduce((sum, { Count = 0 }) => sum + Count, 0);
  const devices = {
    'nvidia.com/gpu': gpusOf('NVIDIA'),
    'amd.com/gpu': gpusOf('AMD'),
    'aws.amazon.com/neuron': neurons,
  };
  return Object.fromEntries(Object.entries(devices).filter(([, count]) => count > 0));
}

const effects: Readonly<Record<string, string>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
};

const windows = { 'kubernetes.io/os': 'windows', 'beta.kubernetes.io/os': 'windows' };

/** Labels and taints that EKS sets; undefined for another group, or if the caller may not read the node group. */
async function readNodegroup(
  eks: () => EKSClient,
  group: AutoScalingGroup,
): Promise<GroupLaunch['nodegroup'] | undefined> {
  const names = eksNodegroupOf(group);
  if (names === undefined) return undefined;
  const { eksClusterName: clusterName, nodegroupName } = names;
  const answer = await unlessDenied('eks:DescribeNodegroup', () =>
    eks().send(new DescribeNodegroupCommand({ clusterName, nodegroupName })),
  );
  if ('unknown' in answer) return undefined;
  const { labels = {}, taints = [], capacityType, amiType = '' } = answer.nodegroup ?? {};
  return {
    labels: {
      'eks.amazonaws.com/nodegroup': nodegroupName,
      ...(capacityType && { 'eks.amazonaws.com/capacityType': capacityType }),
      ...(amiType.startsWith('WINDOWS') && windows),
      ...labels,
    },
    taints: taints.map(({ key = '', value = '', effect = '' }) => ({
      key,
      value,
      effect: effects[effect] ?? effect,
    })),
  };
}
