import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { boundsOf } from '../../../local/world/holds.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import {
  excludeFromLoadBalancersLabel,
  givingBackAnnotation,
  leavingAnnotation,
  leavingLabel,
} from '../../../shared/nodes/node-keys.ts';
import { nodeNameOf } from '../../support/observed-instance.ts';
import { markOf } from '../leaving-support.ts';
import { operatorOf } from '../operator.ts';

/** `eks`: Drover may not approve certificates, because the control plane does. */
export type Flavour = 'kubeadm' | 'eks';

/** A group with everything that Drover can have on it: hooks, tags, a hold that has raised MinSize, a schedule, marked Nodes. */
export async function runningWorld(
  flavour: Flavour,
  options: Parameters<typeof createDroverWorld>[0] = {},
): Promise<DroverWorld> {
  const world = createDroverWorld({
    ...options,
    ...(flavour === 'eks' && {
      editRbac: (manifests) => manifests.filter(({ metadata }) => metadata?.name !== 'drover-certificates'),
    }),
  });
  const ids = await withWorkers(world, {
    size: 3,
    settings: { MinSize: 1, MaxSize: 5 },
    tags: { 'drover.dev/drain-timeout': '10m', team: 'a' },
  });
  putHook(world, 'drover-node-joining', 'LAUNCHING');
  putHook(world, 'backup', 'TERMINATING');
  const drover = async (line: string | readonly string[]): Promise<void> => {
    const { code, err } = await operatorOf(world)(line);
    if (code !== 0) throw new Error(err);
  };
  await drover('hold create workers 3 --for 8h --name sale');
  await world.timeline.until(() => boundsOf(world).minSize === 3, { withinSeconds: 300, what: 'the floor' });
  await drover([
    'schedule',
    'create',
    'workers',
    '3',
    '--name',
    'office',
    '--cron',
    '0 8 ? * MON-FRI *',
    '--time-zone',
    'UTC',
    '--for',
    '2h',
    '--lead',
    '10m',
  ]);
  const [marked = '', reserved = '', own = ''] = ids;
  await patchNode(world, nodeNameOf(world, marked), {
    metadata: {
      annotations: {
        [leavingAnnotation]: formatLeavingMark(
          markOf({ instanceId: marked, since: at(world), renewedAt: at(world), cause: 'rebalance' }),
        ),
      },
      labels: { [leavingLabel]: marked, [excludeFromLoadBalancersLabel]: 'true' },
    },
    spec: { unschedulable: true },
  });
  await patchNode(world, nodeNameOf(world, reserved), {
    metadata: { annotations: { [givingBackAnnotation]: at(world) } },
    spec: { unschedulable: true },
  });
  await patchNode(world, nodeNameOf(world, own), { spec: { unschedulable: true } });
  return world;
}

const at = ({ clock }: DroverWorld): string => new Date(clock.now()).toISOString();

export function putHook(
  { account }: DroverWorld,
  name: string,
  transition: 'LAUNCHING' | 'TERMINATING',
): void {
  account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
    HeartbeatTimeout: 3600,
    DefaultResult: 'CONTINUE',
  });
}

export async function patchNode(world: DroverWorld, name: string, patch: object): Promise<void> {
  const { status, body } = await world.kubernetes.sendHttp({
    method: 'PATCH',
    url: `https://api.test/api/v1/nodes/${name}`,
    headers: {
      authorization: `Bearer ${world.kubernetes.adminToken}`,
      'content-type': 'application/strategic-merge-patch+json',
    },
    body: JSON.stringify(patch),
    tls: {},
    timeoutMilliseconds: 5000,
  });
  if (status !== 200) throw new Error(`${name}: ${status} ${body}`);
}

/** Everything in the world that bears Drover's name on the group or its Nodes, and what must stay. */
export function remains(world: DroverWorld) {
  const { account, kubernetes } = world;
  const [group] = account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: ['workers'],
  }).AutoScalingGroups;
  const nodes = kubernetes.store.of('nodes').list();
  const keys = nodes.flatMap(({ metadata }) => [
    ...Object.keys(metadata?.annotations ?? {}),
    ...Object.keys(metadata?.labels ?? {}),
  ]);
  const parameters = account.ssm.operations.DescribeParameters({
    ParameterFilters: [{ Key: 'Path', Option: 'Recursive', Values: [`/drover/${clusterName}`] }],
  });
  return {
    tags: (group?.Tags ?? []).map(({ Key = '' }) => Key).toSorted((one, other) => one.localeCompare(other)),
    hooks: account.autoScaling.operations
      .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
      .LifecycleHooks.map(({ LifecycleHookName }) => LifecycleHookName),
    bounds: [group?.MinSize, group?.MaxSize, group?.DesiredCapacity],
    keys: keys.filter((key) => key.startsWith('drover.dev/') || key === excludeFromLoadBalancersLabel),
    cordoned: nodes.filter(({ spec }) => spec?.unschedulable === true).length,
    capacity: (parameters.Parameters ?? [])
      .map(({ Name = '' }) => Name)
      .filter((name) => name.includes('/holds/') || name.includes('/floors/')),
    bindings: kubernetes.store
      .of('clusterrolebindings.rbac.authorization.k8s.io')
      .list()
      .map(({ metadata }) => metadata?.name ?? '')
      .filter((name) => name.startsWith('kubeadm:'))
      .toSorted(),
  };
}

/** CloudFormation deletes the stack, and keeps the queues. */
export function deleteStack({ account, lambda }: DroverWorld): void {
  lambda.stop();
  const { operations } = account.events;
  for (const { Name } of operations.ListRules({}).Rules) {
    const { Targets } = operations.ListTargetsByRule({ Rule: Name });
    operations.RemoveTargets({ Rule: Name, Ids: Targets.map(({ Id }) => Id ?? '') });
    operations.DeleteRule({ Name });
  }
  account.scheduler.operations.DeleteScheduleGroup({ Name: 'drover-drover' });
}

/** What `remains` finds in a running world once its group has left. */
export const leftOf = (flavour: Flavour) => ({
  tags: ['kubernetes.io/cluster/drover', 'team'],
  hooks: ['backup'],
  bounds: [1, 5, 3],
  keys: [],
  cordoned: 1,
  capacity: [],
  bindings:
    flavour === 'eks'
      ? []
      : ['kubeadm:node-autoapprove-bootstrap', 'kubeadm:node-autoapprove-certificate-rotation'],
});
