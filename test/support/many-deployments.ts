import type { Wiring } from '@drover/cloud-sandbox';
import { addGroup } from '../../local/cloud/furnish.ts';
import {
  createDroverWorld,
  type DroverWorld,
  clusterName as firstCluster,
  hookName,
  keyId,
} from '../../local/world/drover-world.ts';
import { formatHold } from '../../shared/capacity/holds/hold.ts';
import { holdParameterOf, holdPathsOf } from '../../shared/capacity/holds/parameters.ts';

/** A deployment for one cluster. The names of several may be prefixes of each other, or differ in case. */
export interface Tenant {
  readonly stage: string;
  readonly clusterName: string;
}

/** A write that AWS has carried out for a role of a deployment, and what it was about. */
export interface TenantWrite {
  readonly by: string;
  readonly operation: string;
  /** Names of groups, ids of instances, URLs of queues, names of parameters. */
  readonly subjects: readonly string[];
  /** The clusters whose tags the group of the write had at that moment. */
  readonly owners: readonly string[];
}

/** An account in which Drover is deployed for many clusters, from the same template. The first tenant is that of the sandbox's cluster. */
export function createWorldOfMany(tenants: readonly Tenant[]): {
  readonly world: DroverWorld;
  readonly writes: readonly TenantWrite[];
} {
  const all = (wiring: Wiring): readonly Wiring[] => tenants.map((tenant) => renamed(wiring, tenant));
  const byRole = new Map<string, string>();
  const world = createDroverWorld({
    editWiring: (wiring) => {
      const wirings = all(wiring);
      for (const [index, { roles }] of wirings.entries())
        for (const { roleName } of roles) byRole.set(roleName, tenants[index]?.clusterName ?? '');
      return merged(wirings);
    },
  });
  const { account } = world;
  for (const { clusterName } of tenants)
    if (clusterName !== firstCluster)
      account.ssm.operations.PutParameter(
        {
          Name: `/drover/${clusterName}/kubeconfig`,
          Value: account.ssm.controls.value(`/drover/${firstCluster}/kubeconfig`),
          Type: 'SecureString',
          KeyId: keyId,
        },
        { principal: account.operator, requestId: 'test' },
      );
  return { world, writes: recordWrites(world, byRole) };
}

/** The template, packaged for another stage and cluster. */
function renamed(wiring: Wiring, { stage, clusterName }: Tenant): Wiring {
  const text = JSON.stringify(wiring)
    .replaceAll('drover-dev', `drover-${stage}`)
    .replaceAll(`drover-${firstCluster}`, `drover-${clusterName}`)
    .replaceAll(`/drover/${firstCluster}/`, `/drover/${clusterName}/`)
    .replaceAll(`kubernetes.io/cluster/${firstCluster}`, `kubernetes.io/cluster/${clusterName}`);
  const own = JSON.parse(text) as Wiring;
  return {
    ...own,
    functions: own.functions.map((one) => ({
      ...one,
      environment: { ...one.environment, DROVER_CLUSTER: clusterName },
    })),
  };
}

function merged(wirings: readonly Wiring[]): Wiring {
  const [first] = wirings;
  if (first === undefined) throw new Error('there is no deployment');
  const joined = <Key extends 'functions' | 'roles' | 'queues' | 'rules' | 'eventSourceMappings'>(key: Key) =>
    wirings.flatMap((one) => one[key] as readonly unknown[]) as unknown as Wiring[Key];
  return {
    ...first,
    functions: joined('functions'),
    roles: joined('roles'),
    queues: joined('queues'),
    rules: joined('rules'),
    eventSourceMappings: joined('eventSourceMappings'),
    permissions: wirings.flatMap(({ permissions }) => permissions),
    scheduleGroups: wirings.flatMap(({ scheduleGroups }) => scheduleGroups),
  };
}

type Operation = (input: object, request?: { readonly principal?: unknown }) => unknown;

/** Records what AWS carries out for the roles of functions. Reads are left out. */
function recordWrites(world: DroverWorld, byRole: ReadonlyMap<string, string>): readonly TenantWrite[] {
  const writes: TenantWrite[] = [];
  const { autoScaling, ssm, sqs, scheduler, ec2 } = world.account;
  for (const { operations } of [autoScaling, ssm, sqs, scheduler, ec2]) {
    const table = operations as unknown as Record<string, Operation>;
    for (const [name, operation] of Object.entries(table)) {
      if (/^(?:Describe|List|Get|Receive)/.test(name)) continue;
      table[name] = (input, request) => {
        const by = tenantOf(request?.principal, byRole);
        if (by !== undefined) {
          const subjects = subjectsOf(input);
          writes.push({ by, operation: name, subjects, owners: ownersOf(world, subjects) });
        }
        return operation(input, request);
      };
    }
  }
  return writes;
}

/** A principal names its role, whatever its form. */
function tenantOf(principal: unknown, byRole: ReadonlyMap<string, string>): string | undefined {
  const text = JSON.stringify(principal) ?? '';
  const names = text.match(/drover-[\w-]+/g) ?? [];
  return names.flatMap((name) => byRole.get(name) ?? []).at(0);
}

function subjectsOf(input: object): readonly string[] {
  const text = JSON.stringify(input);
  const fields = input as Readonly<Record<string, unknown>>;
  const named = ['AutoScalingGroupName', 'Name', 'QueueUrl', 'GroupName'].flatMap((key) => {
    const value = fields[key];
    return typeof value === 'string' ? [value] : [];
  });
  return [...new Set([...named, ...(text.match(/\bi-[0-9a-f]{17}\b/g) ?? [])])];
}

function ownersOf({ account }: DroverWorld, subjects: readonly string[]): readonly string[] {
  const groups = account.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups;
  return groups
    .filter(
      ({ AutoScalingGroupName = '', Instances = [] }) =>
        subjects.includes(AutoScalingGroupName) ||
        Instances.some(({ InstanceId = '' }) => subjects.includes(InstanceId)),
    )
    .flatMap(({ Tags = [] }) =>
      Tags.flatMap(({ Key = '', Value }) =>
        Key.startsWith('kubernetes.io/cluster/') && Value === 'owned'
          ? [Key.slice('kubernetes.io/cluster/'.length)]
          : [],
      ),
    );
}

export const groupOf = ({ stage }: Tenant): string => `${stage}-workers`;

/** Gives a tenant a group of one instance with Drover's hook, in the subnets of all. */
export const addTenantGroup = (world: DroverWorld, tenant: Tenant): void =>
  addGroup(world, {
    autoScalingGroupName: groupOf(tenant),
    clusterName: tenant.clusterName,
    size: 1,
    hook: { name: hookName, heartbeatTimeoutSeconds: 3600 },
  });

/** A hold of a tenant, as an operator puts it. */
export function putTenantHold({ account, clock }: DroverWorld, tenant: Tenant, nodes: number): string {
  const hold = {
    autoScalingGroupName: groupOf(tenant),
    name: 'sale',
    nodes,
    raiseMaxSize: false,
    createdAt: clock.now(),
  };
  const name = holdParameterOf(holdPathsOf(tenant.clusterName), hold);
  account.ssm.operations.PutParameter(
    {
      Name: name,
      Value: formatHold({ ...hold, until: clock.now() + 3_600_000 }),
      Type: 'String',
      Overwrite: true,
    },
    { principal: account.operator, requestId: 'test' },
  );
  return name;
}
