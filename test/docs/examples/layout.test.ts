import { readFileSync } from 'node:fs';
import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, test } from 'vitest';
import { clusterName, createDroverWorld } from '../../../local/world/drover-world.ts';
import { runDrover } from '../../cli/run-drover.ts';
import { exampleResources, exampleSubnets, ofType, type Resource } from './example-template.ts';
import { subnetsOf } from './make-example.ts';

const examples = {
  kubeadm: 'kubeadm/cloudformation/cluster.yml',
  eks: 'eks/cloudformation/cluster.yml',
  'openshift-3.11': 'openshift-3.11/cloudformation/groups.yml',
} as const;
type Example = keyof typeof examples;
const names = Object.keys(examples) as Example[];

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];
const autoscaler = 'k8s.io/cluster-autoscaler/';
const labelTag = `${autoscaler}node-template/label/`;
const taintTag = `${autoscaler}node-template/taint/`;
/** The EBS CSI driver gives nodes this label, and requires it of the nodes that use a volume. */
const zoneLabel = 'topology.ebs.csi.aws.com/zone';

type Group = Resource & { readonly logicalId: string };
const groupsOf = (name: Example, parameters: Readonly<Record<string, string>> = {}): readonly Group[] =>
  ofType(
    exampleResources(examples[name], { ClusterName: clusterName, ...parameters }),
    'AWS::AutoScaling::AutoScalingGroup',
  ).map(([logicalId, group]) => ({ logicalId, ...group }));

const tagsOf = ({ Properties }: Group): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Properties['Tags'] as readonly { readonly Key: string; readonly Value: string }[]).map(
      ({ Key, Value }) => [Key, Value],
    ),
  );

interface Policy {
  readonly InstancesDistribution: Readonly<Record<string, unknown>>;
  readonly LaunchTemplate: {
    readonly LaunchTemplateSpecification: { readonly LaunchTemplateId: { readonly Ref: string } };
    readonly Overrides: readonly { readonly InstanceType: string }[];
  };
}
const policyOf = ({ Properties }: Group) => Properties['MixedInstancesPolicy'] as Policy | undefined;
const isFound = (group: Group): boolean => `${autoscaler}enabled` in tagsOf(group);
const spotOf = (name: Example): Group => {
  const spot = groupsOf(name).filter((group) => policyOf(group) !== undefined);
  expect(spot).toHaveLength(1);
  return spot[0] as Group;
};
const zonal = (name: Example): readonly Group[] =>
  groupsOf(name).filter((group) => isFound(group) && policyOf(group) === undefined);

/** What nodes are for: groups of the same purpose differ only in their zone. */
const purposeOf = ({ Properties }: Group): string =>
  String(Properties['AutoScalingGroupName']).replace(/-eu-west-1[abc]$/, '');

describe.each(names)('the groups of %s', (name) => {
  test('whose nodes have volumes are one for each zone, and show cluster-autoscaler the zone of their nodes', () => {
    const purposes = Map.groupBy(zonal(name), purposeOf);
    expect(purposes.size).toBeGreaterThan(0);
    for (const groups of purposes.values()) {
      expect(groups.flatMap(({ Properties }) => subnetsOf(Properties['VPCZoneIdentifier']))).toEqual(
        exampleSubnets,
      );
      // Volumes of OpenShift 3.11 require the label of the cloud provider, which cluster-autoscaler knows.
      const label = name === 'openshift-3.11' ? zones.map(() => undefined) : zones;
      expect(groups.map((group) => tagsOf(group)[labelTag + zoneLabel])).toEqual(label);
      for (const [index, { Properties }] of groups.entries())
        expect(Properties['AutoScalingGroupName']).toMatch(new RegExp(`-${zones[index]}$`));
    }
  });

  test('are found by cluster-autoscaler if they are workers, and no others are', () => {
    for (const group of groupsOf(name)) {
      const role = tagsOf(group)['drover.dev/role'] ?? 'worker';
      const found = Object.keys(tagsOf(group)).filter((key) => key.startsWith(autoscaler));
      const wanted = [`${autoscaler}enabled`, `${autoscaler}${clusterName}`];
      if (role === 'worker') expect(found, group.logicalId).toEqual(expect.arrayContaining(wanted));
      else expect(found, group.logicalId).toEqual([]);
    }
  });

  test('launch an instance before they terminate the one that it replaces', () => {
    for (const { Properties, logicalId } of groupsOf(name))
      expect(Properties['InstanceMaintenancePolicy'], logicalId).toEqual({
        MinHealthyPercentage: 100,
        MaxHealthyPercentage: 110,
      });
  });
});

describe.each(names)('the Spot group of %s', (name) => {
  test('takes the type of which EC2 has most capacity, in every zone, and only Spot', () => {
    const { Properties, ...group } = spotOf(name);
    expect(policyOf({ Properties, ...group })?.InstancesDistribution).toEqual({
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: 0,
      SpotAllocationStrategy: 'capacity-optimized',
    });
    expect(subnetsOf(Properties['VPCZoneIdentifier'])).toEqual(exampleSubnets);
  });

  test('replaces instances at risk early if a hook drains their nodes', () => {
    const { Properties } = spotOf(name);
    expect(Properties['CapacityRebalance'] ?? false).toBe('LifecycleHookSpecificationList' in Properties);
  });

  test('has types of one size and no weights, the first of which its launch template has', () => {
    const group = spotOf(name);
    const { Overrides = [], LaunchTemplateSpecification } = policyOf(group)?.LaunchTemplate ?? {};
    const types = Overrides.map(({ InstanceType }) => InstanceType);
    for (const override of Overrides) expect(Object.keys(override)).toEqual(['InstanceType']);
    expect(new Set(types).size).toBeGreaterThanOrEqual(4);
    const { InstanceTypes } = createDroverWorld().account.ec2.operations.DescribeInstanceTypes({
      InstanceTypes: types,
    } as never);
    const sizes = (InstanceTypes ?? []).map(({ VCpuInfo, MemoryInfo, ProcessorInfo }) =>
      JSON.stringify([VCpuInfo?.DefaultVCpus, MemoryInfo?.SizeInMiB, ProcessorInfo?.SupportedArchitectures]),
    );
    expect(new Set(sizes).size).toBe(1);
    const resources = exampleResources(examples[name], { ClusterName: clusterName });
    const template = resources[LaunchTemplateSpecification?.LaunchTemplateId.Ref ?? ''];
    expect(template?.Properties['LaunchTemplateData']).toMatchObject({ InstanceType: types[0] });
  });
});

/** The labels and taints that the user data of a command of the README gives its nodes. */
async function nodeOf(name: Example, template: string): Promise<object> {
  const readme = readFileSync(`examples/${name}/README.md`, 'utf8');
  const written = new RegExp(`^drover (user-data .*) --new-version-of prod-${template} `, 'm').exec(readme);
  const authority = readFileSync('local/world/tls/certificate.pem').toString('base64');
  const command = `${written?.[1]} --no-check`
    .replace(/"\$\([^)]*\)"/, 'https://ABC.gr7.eu-west-1.eks.amazonaws.com')
    .replace('ca.crt', authority)
    .replace(/(user-data eks.*) --no-check/, '$1');
  const { stdout, exitCode, stderr } = await runDrover(command, {
    environment: { AWS_REGION: 'eu-west-1' },
    clock: createVirtualClock(),
    pause: () => Promise.reject(new Error('nothing waits')),
    sendHttp: () => Promise.reject(new Error('nothing is sent')),
  });
  expect(exitCode, `${command}\n${stderr}`).toBe(0);
  const [, labels = ''] = /node-labels(?:=|\n *value: )(\S+)/.exec(stdout) ?? [];
  const taints = stdout.matchAll(/key: (\S+)\n +value: (\S+)\n +effect: (\S+)/g);
  return {
    labels: Object.fromEntries(labels.split(',').flatMap((label) => (label ? [label.split('=')] : []))),
    taints: Object.fromEntries([...taints].map(([, key, value, effect]) => [key, `${value}:${effect}`])),
  };
}

const promisedBy = (group: Group, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tagsOf(group)).flatMap(([key, value]) =>
      key.startsWith(prefix) && key !== labelTag + zoneLabel ? [[key.slice(prefix.length), value]] : [],
    ),
  );

describe('a node has the labels and taints that the tags of its group promise cluster-autoscaler, and no others', () => {
  test.each(['kubeadm', 'eks'] as const)('%s', async (name) => {
    for (const group of [spotOf(name), ...zonal(name)])
      expect(await nodeOf(name, purposeOf(group).replace(`${clusterName}-`, '')), group.logicalId).toEqual({
        labels: promisedBy(group, labelTag),
        taints: promisedBy(group, taintTag),
      });
  });
});

describe('a warm pool', () => {
  const poolsOf = (name: Example, parameters: Readonly<Record<string, string>>) =>
    ofType(
      exampleResources(examples[name], { ClusterName: clusterName, ...parameters }),
      'AWS::AutoScaling::WarmPool',
    );

  test.each(['kubeadm', 'eks'] as const)(
    'of %s is made only if it is asked for, of a fixed size, for groups whose tag is the time of their user data',
    (name) => {
      expect(poolsOf(name, {})).toEqual([]);
      const pools = poolsOf(name, { WorkersWarmPoolSize: '2' });
      const of = pools.map(
        ([, { Properties }]) => (Properties['AutoScalingGroupName'] as { Ref: string }).Ref,
      );
      expect(of).toEqual(zonal(name).map(({ logicalId }) => logicalId));
      for (const [, { Properties }] of pools)
        expect(Properties).toMatchObject({
          PoolState: 'Stopped',
          MinSize: '2',
          MaxGroupPreparedCapacity: '2',
        });
      for (const group of zonal(name)) expect(tagsOf(group)).toHaveProperty(['drover.dev/warm-pool-wait']);
    },
  );
});

test('the nodes of OpenShift 3.11 have the role that the tags of their group promise, by the ConfigMap in their user data', () => {
  const readme = readFileSync('examples/openshift-3.11/README.md', 'utf8');
  for (const group of [spotOf('openshift-3.11'), ...zonal('openshift-3.11')]) {
    const purpose = purposeOf(group).replace(`${clusterName}-`, '');
    expect(readme).toContain(`--node-config node-config-${purpose} --new-version-of prod-${purpose} `);
    const labels =
      purpose === 'spot'
        ? { 'node.kubernetes.io/lifecycle': 'spot' }
        : { [`node-role.kubernetes.io/${purpose}`]: 'true' };
    expect(promisedBy(group, labelTag), group.logicalId).toEqual(labels);
  }
});

test('the single group is On-Demand, or Spot with four types', () => {
  const groupOf = (PurchaseOption: string) =>
    exampleResources('cloudformation/worker-group.yml', { ClusterName: clusterName, PurchaseOption })[
      'Workers'
    ]?.Properties ?? {};
  expect(groupOf('on-demand')).toMatchObject({ LaunchTemplate: {}, CapacityRebalance: false });
  expect(groupOf('on-demand')).not.toHaveProperty('MixedInstancesPolicy');
  const spot = groupOf('spot');
  expect(spot).not.toHaveProperty('LaunchTemplate');
  expect(spot).toMatchObject({
    CapacityRebalance: true,
    MixedInstancesPolicy: {
      InstancesDistribution: { SpotAllocationStrategy: 'capacity-optimized' },
      LaunchTemplate: {
        Overrides: ['m7g.large', 'm6g.large', 'm8g.large', 'm7gd.large'].map((InstanceType) => ({
          InstanceType,
        })),
      },
    },
  });
});
