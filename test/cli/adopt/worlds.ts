import type { CreateClusterRequest } from '@aws-sdk/client-eks';
import type { ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { kubeadmBindings } from './observed.ts';

const bindings = 'clusterrolebindings.rbac.authorization.k8s.io';

/** A deployment beside a cluster of kubeadm, which has granted Drover nothing, and a group that Drover does not manage. */
export async function kubeadmWorld(
  options: Pick<NonNullable<Parameters<typeof createDroverWorld>[0]>, 'weather'> = {},
): Promise<DroverWorld> {
  const world = createDroverWorld({ editRbac: () => [], ...options });
  await withWorkers(world, { size: 2, hook: undefined });
  removeTags(world, 'drover.dev/role', 'kubernetes.io/cluster/drover');
  const { registry } = world.kubernetes;
  for (const binding of kubeadmBindings) registry.create(bindings, binding);
  registry.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
    data: {},
  });
  return world;
}

export const removeTags = ({ account }: DroverWorld, ...keys: readonly string[]): void => {
  account.autoScaling.operations.DeleteTags({
    Tags: keys.map((Key) => ({ ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key })),
  });
};

export const bindingNames = ({ kubernetes }: DroverWorld): readonly string[] =>
  kubernetes.store
    .of(bindings)
    .list()
    .map(({ metadata }: ClusterRoleBinding) => metadata?.name ?? '')
    .filter((name) => !name.startsWith('system:') && name !== 'cluster-admin')
    .toSorted();

export const hooksOf = ({ account }: DroverWorld) =>
  account.autoScaling.operations
    .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
    .LifecycleHooks.map(({ LifecycleHookName }) => LifecycleHookName);

export const tagsOf = ({ account }: DroverWorld): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (
      account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['workers'] })
        .AutoScalingGroups[0]?.Tags ?? []
    ).map(({ Key = '', Value = '' }) => [Key, Value]),
  );

/** All that an adoption changes. */
export const stateOf = (world: DroverWorld) => ({
  bindings: bindingNames(world),
  hooks: hooksOf(world),
  tags: tagsOf(world),
});

export const eksServer = 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com';

/** The same as a cluster of EKS: AWS approves certificates, and access entries map roles. */
export async function eksWorld(
  authenticationMode: 'API' | 'CONFIG_MAP',
  { podHolds = 'off' }: { readonly podHolds?: 'on' | 'off' } = {},
): Promise<DroverWorld> {
  const editWiring = (wiring: DroverWorld['wiring']) => withPodHolds(withoutBootstrap(wiring), podHolds);
  const world = createDroverWorld({ editRbac: () => [], editWiring });
  await withWorkers(world, { size: 1, hook: undefined, instanceProfile: 'nodes' });
  removeTags(world, 'drover.dev/role', 'kubernetes.io/cluster/drover');
  world.account.eks.operations.CreateCluster({
    name: 'drover',
    accessConfig: { authenticationMode },
  } as CreateClusterRequest);
  return world;
}

/** As with the parameters Bootstrap=off Certificates=off Rolls=off. */
const withoutBootstrap = (wiring: DroverWorld['wiring']): DroverWorld['wiring'] => ({
  ...wiring,
  rules: wiring.rules.filter(
    ({ rule }) => !/bootstrap-credential|certificate-requests|-roll$/.test(rule.Name ?? ''),
  ),
});

/** As with the parameter PodHolds, which only the rule of prewarm shows. */
export const withPodHolds = (
  wiring: DroverWorld['wiring'],
  podHolds: 'on' | 'off',
): DroverWorld['wiring'] => ({
  ...wiring,
  rules: wiring.rules.map((one) => ({
    ...one,
    rule: {
      ...one.rule,
      ...(one.rule.Description !== undefined && {
        Description: one.rule.Description.replace(/(?<=Holds for pods are )on$/, podHolds),
      }),
    },
  })),
});
