import { AwsError } from '@drover/cloud-sandbox/aws';
import { type DroverWorld, hookName, membersOf } from '../../../local/world/drover-world.ts';
import { request } from '../../../local/world/workloads.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { pauseTagKey } from '../../../shared/passes/pause.ts';
import {
  autoscale,
  finishHold,
  loseRecord,
  makeHold,
  makeSchedule,
  prolongHold,
  setBounds,
} from './hold-deeds.ts';
import { launchNamesake } from './namesake.ts';
import type { PlannedGroup } from './plan/groups.ts';
import type { Step } from './plan/history.ts';
import {
  askOfRoll,
  editRolling,
  loseRoll,
  makeVersion,
  raiseAlarm,
  refresh,
  startRoll,
  suspendFor,
} from './roll-deeds.ts';
import { askAsStranger } from './stranger.ts';
import { editMark, leaveVolume, loseTag, uncordonMarked } from './undoing-deeds.ts';
import { addUnknownMachine } from './unknown-machine.ts';
import type { CapacityBook } from './watch/capacity-book.ts';
import type { Census } from './watch/census.ts';
import type { RollBook } from './watch/roll-book.ts';

export interface Scene {
  readonly world: DroverWorld;
  readonly census: Census;
  readonly capacity: CapacityBook;
  readonly rolls: RollBook;
  readonly groups: readonly PlannedGroup[];
  readonly record: (line: string) => void;
}

/** Applies the step to what exists at that time. If AWS refuses the step, the refusal is recorded and the history goes on. */
export async function live(scene: Scene, step: Step): Promise<void> {
  const { kind, autoScalingGroupName, at: _at, which: _which, ...rest } = step;
  const target = pick(scene, step);
  scene.record(`HISTORY ${kind} ${autoScalingGroupName} ${target ?? ''} ${JSON.stringify(rest)}`);
  try {
    await act(scene, step, target);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    scene.record(`HISTORY refused: ${error.message}`);
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

type Act<Kind extends Step['kind']> = (
  scene: Scene,
  step: Extract<Step, { readonly kind: Kind }>,
  target: string,
) => void | Promise<void>;

/** What each kind of step does. A step that needs an instance in service does nothing if no instance is in service. */
const acts: { readonly [Kind in Step['kind']]: Act<Kind> } = {
  scale: ({ world }, { autoScalingGroupName: AutoScalingGroupName, by }) => {
    const DesiredCapacity = Math.max(0, membersOf(world, AutoScalingGroupName).length + by);
    world.account.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName, DesiredCapacity });
  },
  pause: (scene, { autoScalingGroupName }) =>
    retag(scene, autoScalingGroupName, { key: pauseTagKey, value: 'true' }),
  resume: (scene, { autoScalingGroupName }) =>
    retag(scene, autoScalingGroupName, { key: pauseTagKey, value: 'false' }),
  retag: (scene, step) => retag(scene, step.autoScalingGroupName, step),
  'daemon-set-gone': (scene) => deleteDaemonSet(scene),
  'change-hook': ({ world, census }, { autoScalingGroupName, heartbeatTimeoutSeconds }) => {
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: autoScalingGroupName,
      LifecycleHookName: hookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: heartbeatTimeoutSeconds,
      DefaultResult: 'CONTINUE',
    });
    census.hookChanged(autoScalingGroupName, heartbeatTimeoutSeconds);
  },
  'remove-hook': ({ world, census }, { autoScalingGroupName: AutoScalingGroupName }) => {
    const LifecycleHookName = hookName;
    world.account.autoScaling.operations.DeleteLifecycleHook({ AutoScalingGroupName, LifecycleHookName });
    census.hookRemoved(AutoScalingGroupName);
  },
  terminate: ({ world }, { replace }, InstanceId) => {
    const ShouldDecrementDesiredCapacity = !replace;
    const { operations } = world.account.autoScaling;
    operations.TerminateInstanceInAutoScalingGroup({ InstanceId, ShouldDecrementDesiredCapacity });
  },
  standby: ({ world }, step, target) => {
    world.account.autoScaling.operations.EnterStandby(outOfService(step, target));
  },
  detach: ({ world }, step, target) => {
    world.account.autoScaling.operations.DetachInstances(outOfService(step, target));
  },
  'kubelet-dies': ({ world }, _step, target) => world.kubelets.get(target)?.stop(),
  'kubelet-cut-off': ({ world }, { seconds }, target) => {
    world.kubelets.get(target)?.pause();
    world.clock.after(seconds * 1000, () => world.kubelets.get(target)?.resume());
  },
  'delete-node': (scene, { kind }, target) => byHand(scene, kind, scene.census.find(target)?.nodeName),
  cordon: (scene, { kind }, target) => byHand(scene, kind, scene.census.find(target)?.nodeName),
  interrupt: (scene, step, target) => {
    if (!groupOf(scene, step)?.spot) return;
    scene.world.account.ec2.accidents.interruptSpot(target);
    scene.census.noticed(target, { takenAt: scene.world.clock.now() + 120_000, hurried: true });
  },
  rebalance: (scene, step, target) => {
    const group = groupOf(scene, step);
    if (!group?.spot) return;
    scene.world.account.ec2.accidents.recommendRebalance(target);
    if (group.tags['drover.dev/drain-on-rebalance'] === 'true') scene.census.noticed(target, {});
  },
  'reservation-ends': (scene, step, instanceId) => {
    if (groupOf(scene, step)?.spot !== false) return;
    const { world, census } = scene;
    const { noticeSeconds } = step;
    world.account.ec2.accidents.interruptCapacityReservation({ instanceId, noticeSeconds });
    census.noticed(instanceId, { takenAt: world.clock.now() + noticeSeconds * 1000, hurried: true });
  },
  'health-event': ({ world, census }, { autoScalingGroupName, count }) => {
    const members = membersOf(world, autoScalingGroupName).map(({ InstanceId = '' }) => InstanceId);
    const entities = members.toSorted().slice(0, count);
    world.account.ec2.accidents.healthEvent({ entities, entitiesPerPage: 2 });
    for (const instanceId of entities) census.noticed(instanceId, {});
  },
  kill: ({ world, census }, _step, target) => {
    world.account.ec2.accidents.kill(target);
    census.noticed(target, { takenAt: world.clock.now(), hurried: true });
  },
  uncordon: (scene, step) => uncordonMarked(scene, step),
  'edit-mark': (scene, step) => editMark(scene, step),
  'lose-tag': (scene, step) => loseTag(scene, step),
  'cancelled-change': ({ world, census, record }, { autoScalingGroupName, count, afterSeconds }) => {
    const members = membersOf(world, autoScalingGroupName).map(({ InstanceId = '' }) => InstanceId);
    const entities = members.toSorted().slice(0, count);
    const eventArn = `arn:aws:health:${world.account.region}::event/EC2/change/${world.clock.now()}`;
    world.account.ec2.accidents.healthEvent({ entities, eventArn });
    for (const instanceId of entities) census.noticed(instanceId, {});
    world.clock.after(afterSeconds * 1000, () => {
      for (const instanceId of entities) census.changeCancelled(instanceId);
      record(`HISTORY the change of ${entities.join(', ')} is cancelled`);
      world.account.ec2.accidents.healthEvent({ entities, eventArn, statusCode: 'closed' });
    });
  },
  'volume-stays': (scene, step, target) => leaveVolume(scene, step, target),
  namesake: (scene, step) => launchNamesake(scene, step),
  'unknown-machine': (scene, step) => addUnknownMachine(scene, step),
  'stranger-asks': (scene, step, target) => askAsStranger(scene, step, target),
  hold: (scene, step) => makeHold(scene, step),
  schedule: (scene, step) => makeSchedule(scene, step),
  'extend-hold': (scene, step) => prolongHold(scene, step),
  'end-hold': (scene, step) => finishHold(scene, step),
  'lose-record': (scene, step) => loseRecord(scene, step),
  autoscale: (scene, step) => autoscale(scene, step),
  'set-bounds': (scene, step) => setBounds(scene, step),
  roll: (scene, step) => startRoll(scene, step),
  'change-roll': (scene, step) => askOfRoll(scene, step),
  'lose-roll': (scene, step) => loseRoll(scene, step),
  'raise-alarm': (scene, step) => raiseAlarm(scene, step),
  'new-version': (scene, step) => makeVersion(scene, step),
  'edit-rolling': (scene, step) => editRolling(scene, step),
  refresh: (scene, step) => refresh(scene, step),
  suspend: (scene, step) => suspendFor(scene, step),
  'launches-fail': ({ world }, { seconds, autoScalingGroupName }) => {
    const places = membersOf(world, autoScalingGroupName).map(
      ({ InstanceType: instanceType = '', AvailabilityZone: availabilityZone = '' }) => ({
        instanceType,
        availabilityZone,
      }),
    );
    const set = (available: boolean): void => {
      for (const place of places) world.account.ec2.accidents.setCapacity({ ...place, available });
    };
    set(false);
    world.clock.after(seconds * 1000, () => set(true));
  },
};

/** These are done to a group or to the cluster. */
const withoutTarget: readonly Step['kind'][] = [
  'scale',
  'pause',
  'resume',
  'retag',
  'daemon-set-gone',
  'change-hook',
  'remove-hook',
  'namesake',
  'unknown-machine',
  'lose-record',
  'stranger-asks',
  'hold',
  'schedule',
  'extend-hold',
  'end-hold',
  'autoscale',
  'set-bounds',
  'launches-fail',
  'uncordon',
  'edit-mark',
  'lose-tag',
  'cancelled-change',
  'roll',
  'change-roll',
  'lose-roll',
  'raise-alarm',
  'new-version',
  'edit-rolling',
  'refresh',
  'suspend',
];

async function act(scene: Scene, step: Step, target: string | undefined): Promise<void> {
  if (target === undefined && !withoutTarget.includes(step.kind)) return;
  const carryOut = acts[step.kind] as Act<Step['kind']>;
  await carryOut(scene, step, target ?? '');
  // A state that the next step of the same second ends has been, and its event is on the way.
  scene.census.observe();
}

const outOfService = ({ autoScalingGroupName }: Step, target: string) => ({
  AutoScalingGroupName: autoScalingGroupName,
  InstanceIds: [target],
  ShouldDecrementDesiredCapacity: true,
});

const groupOf = ({ groups }: Scene, step: Step): PlannedGroup | undefined =>
  groups.find(({ autoScalingGroupName }) => autoScalingGroupName === step.autoScalingGroupName);

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
  census.nodeCordonedByHand(nodeName);
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
