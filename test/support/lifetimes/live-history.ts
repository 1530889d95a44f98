import { AwsError } from '../../../local/aws/service.ts';
import { leavingAnnotation } from '../../../shared/draining/node-keys.ts';
import { pauseTagKey } from '../../../shared/lifecycle/pause.ts';
import { type DroverWorld, membersOf } from '../drover-world.ts';
import { request } from '../workloads.ts';
import type { PlannedGroup } from './plan/groups.ts';
import type { Step } from './plan/history.ts';
import type { Census } from './watch/census.ts';

export interface Scene {
  readonly world: DroverWorld;
  readonly census: Census;
  readonly groups: readonly PlannedGroup[];
  readonly tell: (line: string) => void;
}

/** Does what the step says to whatever there is then; what AWS refuses is told and forgotten. */
export async function live(scene: Scene, step: Step): Promise<void> {
  const { kind, autoScalingGroupName, at: _at, which: _which, ...rest } = step;
  const target = pick(scene, step);
  scene.tell(`HISTORY ${kind} ${autoScalingGroupName} ${target ?? ''} ${JSON.stringify(rest)}`);
  try {
    await act(scene, step, target);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    scene.tell(`HISTORY refused: ${error.message}`);
  }
}

/** One of the group's instances in service. */
function pick({ world }: Scene, { autoScalingGroupName, which }: Step): string | undefined {
  const ids = membersOf(world, autoScalingGroupName)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId)
    .toSorted();
  return ids[Math.floor(which * ids.length)];
}

async function act(scene: Scene, step: Step, target: string | undefined): Promise<void> {
  const { world, census } = scene;
  const AutoScalingGroupName = step.autoScalingGroupName;
  const { operations } = world.account.autoScaling;
  switch (step.kind) {
    case 'scale': {
      const desired = membersOf(world, AutoScalingGroupName).length;
      operations.SetDesiredCapacity({
        AutoScalingGroupName,
        DesiredCapacity: Math.max(0, desired + step.by),
      });
      return;
    }
    case 'pause':
    case 'resume':
      return retag(scene, AutoScalingGroupName, { key: pauseTagKey, value: String(step.kind === 'pause') });
    case 'retag':
      return retag(scene, AutoScalingGroupName, step);
    case 'daemon-set-gone':
      return await deleteDaemonSet(scene);
    default:
  }
  if (target === undefined) return;
  switch (step.kind) {
    case 'terminate':
      operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: target,
        ShouldDecrementDesiredCapacity: !step.replace,
      });
      return;
    case 'standby':
      operations.EnterStandby({
        AutoScalingGroupName,
        InstanceIds: [target],
        ShouldDecrementDesiredCapacity: true,
      });
      return;
    case 'detach':
      operations.DetachInstances({
        AutoScalingGroupName,
        InstanceIds: [target],
        ShouldDecrementDesiredCapacity: true,
      });
      return;
    case 'kubelet-dies':
      world.kubelets.get(target)?.stop();
      return;
    case 'kubelet-cut-off':
      world.kubelets.get(target)?.pause();
      world.clock.after(step.seconds * 1000, () => world.kubelets.get(target)?.resume());
      return;
    case 'delete-node':
    case 'cordon':
      return await byHand(scene, step.kind, census.find(target)?.nodeName);
    default:
      return takeBack(scene, step, target);
  }
}

/** What EC2 does to its instances. */
function takeBack({ world, census, groups }: Scene, step: Step, target: string): void {
  const { accidents } = world.account.ec2;
  const group = groups.find(({ autoScalingGroupName }) => autoScalingGroupName === step.autoScalingGroupName);
  const now = world.clock.now();
  switch (step.kind) {
    case 'interrupt':
      if (!group?.spot) return;
      accidents.interruptSpot(target);
      return census.noticed(target, { takenAt: now + 120_000, hurried: true });
    case 'rebalance':
      if (!group?.spot) return;
      accidents.recommendRebalance(target);
      if (group.tags['drover.dev/drain-on-rebalance'] === 'true') census.noticed(target, {});
      return;
    case 'reservation-ends':
      accidents.interruptCapacityReservation({ instanceId: target, noticeSeconds: step.noticeSeconds });
      return census.noticed(target, { takenAt: now + step.noticeSeconds * 1000, hurried: true });
    case 'health-event': {
      const entities = membersOf(world, step.autoScalingGroupName)
        .map(({ InstanceId = '' }) => InstanceId)
        .toSorted()
        .slice(0, step.count);
      accidents.healthEvent({ entities, entitiesPerPage: 2 });
      for (const instanceId of entities) census.noticed(instanceId, {});
      return;
    }
    case 'kill':
      accidents.kill(target);
      return census.noticed(target, { takenAt: now, hurried: true });
    default:
  }
}

function retag(
  { world }: Scene,
  name: string,
  { key, value }: { readonly key: string; readonly value: string },
): void {
  world.account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [
      {
        ResourceId: name,
        ResourceType: 'auto-scaling-group',
        Key: key,
        Value: value,
        PropagateAtLaunch: false,
      },
    ],
  });
}

/** An operator's own hands on a Node; one that bears our mark is left to us. */
async function byHand(
  { world, census }: Scene,
  kind: 'delete-node' | 'cordon',
  nodeName = '',
): Promise<void> {
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
  if (node === undefined || node.metadata.annotations?.[leavingAnnotation] !== undefined) return;
  if (kind === 'delete-node') {
    census.nodeDeletedByHand(nodeName);
    await request(world, 'DELETE', `/api/v1/nodes/${nodeName}`);
    return;
  }
  world.kubernetes.registry.update('nodes', node, (found) => ({
    ...found,
    spec: { ...found.spec, unschedulable: true },
  }));
}

async function deleteDaemonSet({ world }: Scene): Promise<void> {
  const [set] = world.kubernetes.store.of('daemonsets.apps').list();
  if (set === undefined) return;
  const path = `/apis/apps/v1/namespaces/default/daemonsets/${set.metadata.name}?propagationPolicy=Orphan`;
  await request(world, 'DELETE', path);
}

/** What an operator does when all is over: pauses end, so that nothing is held back on purpose. */
export function endPauses(scene: Scene): void {
  for (const { autoScalingGroupName } of scene.groups)
    retag(scene, autoScalingGroupName, { key: pauseTagKey, value: 'false' });
}
