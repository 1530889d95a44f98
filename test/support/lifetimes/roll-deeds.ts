import { clusterName, type DroverWorld, membersOf } from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { latestOf, newVersion } from '../../../local/world/rolls.ts';
import { oldNodeTaintKey, rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import {
  type Asked,
  beginRoll,
  changeRoll,
  type RollStore,
  readRolls,
} from '../../../shared/roll/change-roll.ts';
import {
  askParameterOf,
  defaultBounds,
  type RollGroup,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import { hasEnded, type StoredRoll } from '../../../shared/roll/rolls-in.ts';
import type { Scene } from './live-history.ts';
import type { PlannedWindow, Step } from './plan/history.ts';

type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

const paths = rollPathsOf(clusterName);
const storeOf = (world: DroverWorld): RollStore => ({ parameters: parametersOf(world), paths });

export async function startRoll(scene: Scene, step: Of<'roll'>): Promise<void> {
  const { world, rolls, record } = scene;
  const { name, groupNames, criterion, bounds, window, hasAlarm } = step;
  if (criterion === 'changed') for (const group of groupNames) addVersion(scene, group);
  const roll = {
    ...defaultBounds,
    ...bounds,
    ...(window && { window: windowFrom(world.clock.now(), window) }),
    stopOn: hasAlarm ? [alarmOfRolls] : [],
    name,
    groups: groupNames.map((group) => targetOf(world, group)),
    criterion: { kind: criterion },
    startedAt: world.clock.now(),
    wanted: 'run' as const,
  };
  const { kind } = await beginRoll(storeOf(world), roll);
  record(`HISTORY ${name} is ${kind}`);
  if (kind === 'begun') rolls.asked(name, roll);
}

/** One of the alarms of the deployment. */
const alarmOfRolls = 'drover-dev-sweep-errors';

/** Two spans of the day in UTC, such as `08:05-08:10; 08:13-11:13`. */
function windowFrom(now: number, { opensAfter, opensFor, closesFor }: PlannedWindow): string {
  const opens = Math.floor(now / 60_000) + opensAfter;
  const closes = opens + opensFor;
  const again = closes + closesFor;
  const clock = (minutes: number): string => new Date(minutes * 60_000).toISOString().slice(11, 16);
  return `${clock(opens)}-${clock(closes)}; ${clock(again)}-${clock(again + 180)}`;
}

/** CloudWatch evaluates alarms at each full minute, and ends a state that was set: it is set again right after. */
export function raiseAlarm({ world, rolls }: Scene, { seconds }: Of<'raise-alarm'>): void {
  const { clock, account } = world;
  const end = clock.now() + seconds * 1000;
  rolls.alarmRaised(clock.now(), end);
  const raise = (): void => {
    if (clock.now() >= end) return;
    const state = { AlarmName: alarmOfRolls, StateValue: 'ALARM', StateReason: 'raised by people' } as const;
    account.monitoring.operations.SetAlarmState(state);
    clock.after(60_001 - (clock.now() % 60_000), raise);
  };
  raise();
}

export async function askOfRoll(scene: Scene, { name, asked }: Of<'change-roll'>): Promise<void> {
  const stored = (await readRolls(storeOf(scene.world))).find((one) => one.name === name);
  if (stored) await ask(scene, stored, asked);
}

async function ask(scene: Scene, stored: StoredRoll, kind: Asked['kind']): Promise<void> {
  const { world, rolls, record } = scene;
  const groups = stored.ask.kind === 'read' ? stored.ask.value.groups : [];
  const retargeted = groups.map(({ autoScalingGroupName }) => targetOf(world, autoScalingGroupName));
  const asked: Asked = kind === 'retarget' ? { kind, groups: retargeted } : { kind };
  const change = await changeRoll(storeOf(world), {
    name: stored.name,
    ask: () => Promise.resolve(asked),
    now: () => world.clock.now(),
  });
  record(`HISTORY ${kind} of ${stored.name} is ${change.kind}${'why' in change ? `: ${change.why}` : ''}`);
  if (change.kind === 'changed') rolls.asked(stored.name, change.roll);
}

export function loseRoll({ world, rolls }: Scene, { name }: Of<'lose-roll'>): void {
  for (const Name of [askParameterOf(paths, name), seenParameterOf(paths, name)])
    if (world.account.ssm.controls.value(Name) !== undefined)
      world.account.ssm.operations.DeleteParameter({ Name });
  rolls.asked(name, undefined);
}

export const makeVersion = (scene: Scene, { autoScalingGroupName }: Step): void =>
  addVersion(scene, autoScalingGroupName);

function addVersion({ world, rolls }: Scene, group: string): void {
  const next = latestOf(world, group).version + 1;
  newVersion(world, `ami-${String(next).padStart(17, '0')}`, group);
  rolls.versionMade(group, next);
}

const targetOf = (world: DroverWorld, group: string): RollGroup => ({
  autoScalingGroupName: group,
  target: { main: latestOf(world, group) },
});

/** One of the Nodes of managed groups that have a mark or a taint of a roll. */
export function editRolling(
  { world, groups, census, record }: Scene,
  { which, how }: Of<'edit-rolling'>,
): void {
  const managed = new Set(
    groups
      .filter((group) => group.managed)
      .flatMap(({ autoScalingGroupName }) => membersOf(world, autoScalingGroupName))
      .map(({ InstanceId = '' }) => InstanceId),
  );
  const touched = world.kubernetes.store
    .of('nodes')
    .list()
    .filter(({ spec }) => managed.has(instanceIdOf(spec?.providerID) ?? ''))
    .filter(({ metadata, spec }) =>
      how === 'untaint'
        ? spec?.taints?.some(({ key }) => key === oldNodeTaintKey)
        : metadata.annotations?.[rollingAnnotation] !== undefined,
    )
    .toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
  const node = touched[Math.floor(which * touched.length)];
  if (!node) return;
  record(`HISTORY ${how} of ${node.metadata.name}, which a roll has touched`);
  census.rollingEdited(node.metadata.name, how);
  world.kubernetes.registry.update('nodes', node, (found) => {
    const { unschedulable, taints = [], ...spec } = found.spec ?? {};
    const { [rollingAnnotation]: mark, ...others } = found.metadata.annotations ?? {};
    const annotations = {
      ...others,
      ...(mark !== undefined && how !== 'remove' && { [rollingAnnotation]: how === 'garble' ? '{}' : mark }),
    };
    return {
      ...found,
      metadata: { ...found.metadata, annotations },
      spec: {
        ...spec,
        taints: how === 'untaint' ? taints.filter(({ key }) => key !== oldNodeTaintKey) : taints,
        ...(unschedulable !== undefined && how !== 'uncordon' && { unschedulable }),
      },
    };
  });
}

export function suspendFor({ world }: Scene, step: Of<'suspend'>): void {
  const { operations } = world.account.autoScaling;
  const query = { AutoScalingGroupName: step.autoScalingGroupName, ScalingProcesses: [step.process] };
  operations.SuspendProcesses(query);
  world.clock.after(step.seconds * 1000, () => operations.ResumeProcesses(query));
}

export function refresh({ world, groups }: Scene, { autoScalingGroupName }: Step): void {
  const group = groups.find((one) => one.autoScalingGroupName === autoScalingGroupName);
  // It replaces control planes by its own count of those that are healthy.
  if (group?.role !== undefined) return;
  world.account.autoScaling.operations.StartInstanceRefresh({
    AutoScalingGroupName: autoScalingGroupName,
    Preferences: { StandbyInstances: 'Ignore' },
  });
}

/** So long may the rolls that people let continue take. */
const continuedMilliseconds = 1_200_000;

/** What people do about their rolls when all is over: instances that are of no use are replaced, rolls go on, and are aborted if they do not end. */
export async function endRolls(scene: Scene): Promise<void> {
  const { world, census, groups } = scene;
  const stored = await readRolls(storeOf(world));
  if (stored.length === 0) return;
  for (const {
    instanceId,
    lifecycleState,
    autoScalingGroupName,
    nodeName,
    nodeDeletedByHand,
  } of census.all()) {
    // A kubelet whose Node is deleted does not register again before it is restarted.
    const isOfUse =
      nodeName === undefined || (world.kubelets.get(instanceId)?.alive === true && !nodeDeletedByHand);
    const isManaged = groups.some(
      (group) => group.managed && group.autoScalingGroupName === autoScalingGroupName,
    );
    if (lifecycleState === 'InService' && isManaged && !isOfUse)
      world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: instanceId,
        ShouldDecrementDesiredCapacity: false,
      });
  }
  for (const one of stored.filter((roll) => !hasEnded(roll) || roll.seen?.state === 'stopped'))
    await ask(scene, one, one.seen?.state === 'paused' ? 'retarget' : 'resume');
  world.clock.after(continuedMilliseconds, () => void abortAll(scene));
}

async function abortAll(scene: Scene): Promise<void> {
  for (const one of await readRolls(storeOf(scene.world))) await ask(scene, one, 'abort');
}
