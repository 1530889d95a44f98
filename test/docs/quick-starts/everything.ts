import type { Cloud } from '@drover/cloud-sandbox';
import { runInShell } from './shell.ts';
import type { QuickStartWorld } from './world.ts';

/** All that may bear Drover's name, in AWS and in the cluster, by kind. Equal for equal worlds: identities that a replacement changes are left out. */
export type Everything = Readonly<Record<string, unknown>>;

/**
 * What a real kubectl lists. Events and certificate requests are left out: Kubernetes deletes them within hours. So are pods, which a drain
 * replaces.
 */
const resources = [
  'nodes',
  'namespaces',
  'configmaps',
  'secrets',
  'serviceaccounts',
  'roles',
  'rolebindings',
  'clusterroles',
  'clusterrolebindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'flowschemas',
  'prioritylevelconfigurations',
  'poddisruptionbudgets',
  'deployments',
];

export async function everythingOf(world: QuickStartWorld, release: string): Promise<Everything> {
  const script = resources
    .map((resource) => `echo '"${resource}":'; kubectl get ${resource} --all-namespaces --output json`)
    .join("\necho ','\n");
  const ended = await runInShell(`echo '{'\n${script}\necho '}'`, { ...world.shell, release });
  if (ended.code !== 0) throw new Error(ended.stderr);
  const lists = JSON.parse(ended.stdout) as Readonly<Record<string, { readonly items: readonly Listed[] }>>;
  return {
    ...inAccount(world.cloud, world.values.group),
    ...Object.fromEntries(
      Object.entries(lists).map(([kind, { items }]) => [
        kind,
        sorted(items.map((one) => (kind === 'nodes' ? comparableNode(one) : comparable(one)))),
      ]),
    ),
  };
}

interface Listed {
  readonly kind?: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly spec?: { readonly providerID?: string; readonly podCIDR?: string };
}

/** Without what the API server writes by itself at each change. */
function comparable({ metadata, ...rest }: Listed): object {
  const {
    resourceVersion: _version,
    uid: _uid,
    generation: _generation,
    creationTimestamp: _at,
    managedFields: _fields,
    ...own
  } = metadata;
  const { status: _status, ...content } = rest as { readonly status?: unknown };
  return { metadata: own, ...content };
}

/**
 * The node of a replacement equals the node that it replaces. An administrator has labelled the first nodes with their role; a kubelet may
 * not label itself so (admission plugin NodeRestriction).
 */
function comparableNode(node: Listed): object {
  const { name } = node.metadata;
  const instanceId = /i-[0-9a-f]+$/.exec(node.spec?.providerID ?? '')?.[0] ?? name;
  return JSON.parse(
    JSON.stringify(comparable(node))
      .replaceAll(name, 'NODE')
      .replaceAll(instanceId, 'INSTANCE')
      .replaceAll(/eu-\w+-\d[a-z]/g, 'ZONE')
      .replace('"node-role.kubernetes.io/worker":"",', ''),
  ) as object;
}

const sorted = (values: readonly object[]): readonly unknown[] =>
  values
    .map((value) => JSON.stringify(value))
    .toSorted()
    .map((text) => JSON.parse(text) as unknown);

function inAccount({ account }: Cloud, group: string): Everything {
  const { autoScaling, ec2, ssm, sqs, events, scheduler, route53, s3 } = account;
  const [described] = autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [group],
  }).AutoScalingGroups;
  const { Tags, MinSize, MaxSize, DesiredCapacity, LaunchTemplate, SuspendedProcesses } = described ?? {};
  const instances = ec2.operations
    .DescribeInstances({ Filters: [{ Name: 'instance-state-name', Values: ['running'] }] })
    .Reservations?.flatMap(({ Instances = [] }) => Instances);
  return {
    group: { Tags, MinSize, MaxSize, DesiredCapacity, LaunchTemplate, SuspendedProcesses },
    hooks: autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: group }).LifecycleHooks,
    instanceTags: sorted((instances ?? []).map(({ Tags: tags = [] }) => tags)),
    launchTemplates: ec2.operations
      .DescribeLaunchTemplates({})
      .LaunchTemplates?.map((template) => [
        template.LaunchTemplateName,
        template.DefaultVersionNumber,
        template.LatestVersionNumber,
      ]),
    parameters: (ssm.operations.DescribeParameters({}).Parameters ?? [])
      .map(({ Name = '' }) => Name)
      .toSorted((one, other) => one.localeCompare(other)),
    queues: sqs.operations.ListQueues({}).QueueUrls ?? [],
    rules: events.operations.ListRules({}).Rules.map(({ Name }) => Name),
    scheduleGroups: scheduler.operations.ListScheduleGroups().ScheduleGroups.map(({ Name }) => Name),
    schedules: scheduler.operations.ListSchedules({}).Schedules.map(({ Name }) => Name),
    records: route53.operations
      .ListHostedZones({})
      .HostedZones.map(
        ({ Id = '' }) => route53.operations.ListResourceRecordSets({ HostedZoneId: Id }).ResourceRecordSets,
      ),
    buckets: s3.operations.ListBuckets({}).Buckets?.map(({ Name }) => Name),
  };
}
