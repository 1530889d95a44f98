import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { lazily } from '../base/lazily.ts';
import { type AutoScalingGroup, findTerminatingHook, isManaged, roleOf } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { apiServersIn } from './api-servers.ts';
import { judgeCanary } from './canary.ts';
import { checkPods, needsPodsCheck } from './check-pods.ts';
import type { RollContext } from './context.ts';
import { namesOfEmpty } from './empty-new-nodes.ts';
import type { FailedLaunches } from './launches.ts';
import { isLaunchedSince, type RollMember } from './member.ts';
import { type GroupProgress, progressOf, rollMembers } from './progress.ts';
import type { Roll, RollSeen } from './roll.ts';
import type { StepFacts } from './step.ts';
import { hasStopped, whyHeld } from './whether-to-go-on.ts';
import { parseWindow, windowAt } from './window.ts';

/** What the steps of all rolls are decided from. */
export interface Observation {
  readonly now: number;
  readonly groups: readonly AutoScalingGroup[];
  readonly nodes: readonly Node[];
  readonly members: readonly RollMember[];
  /** Read once, if a roll needs them. */
  readonly pods: () => Promise<readonly Pod[]>;
}

/** A roll that a pass works on. */
export interface LiveRoll {
  readonly roll: Roll;
  readonly seen?: RollSeen;
}

/**
 * Reads the groups, then the Nodes, and how the instances of these rolls were launched.
 *
 * @throws if AWS or the API server cannot be read: no step is taken then.
 */
export async function observe(context: RollContext, rolls: readonly LiveRoll[]): Promise<Observation> {
  const { autoScaling, cluster, clock, launches, settings } = context;
  const now = clock.now();
  const groups = (await autoScaling.listGroups(now)).filter((group) =>
    isManaged(group, settings.clusterName),
  );
  const nodes = await cluster.listNodes('consistent');
  const names = new Set(
    rolls.flatMap(({ roll }) => roll.groups.map(({ autoScalingGroupName }) => autoScalingGroupName)),
  );
  const ids = groups
    .filter(({ autoScalingGroupName }) => names.has(autoScalingGroupName))
    .flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const listed = rollMembers(groups, await launches.readInstances(ids), nodes);
  const members = await withTerminating(context, listed, groups, names);
  return { now, groups, nodes, members, pods: lazily(() => cluster.listPods()) };
}

/**
 * Auto Scaling may list an instance in service that leaves by now, and whose Node is gone: its list may be a minute old. The roll would take it
 * for one that has never joined, leave it out, and end or begin the next group too early. So the activities of its group are asked too.
 */
async function withTerminating(
  { launches }: RollContext,
  members: readonly RollMember[],
  groups: readonly AutoScalingGroup[],
  names: ReadonlySet<string>,
): Promise<readonly RollMember[]> {
  // Members of etcd may have no kubelet, and so no Node.
  const asked = new Set(
    groups
      .filter((group) => names.has(group.autoScalingGroupName) && roleOf(group) !== 'etcd')
      .map(({ autoScalingGroupName }) => autoScalingGroupName),
  );
  const doubtful = members.filter(
    (member) => asked.has(member.autoScalingGroupName) && isInService(member) && member.node === undefined,
  );
  const doubtfulGroups = [...new Set(doubtful.map(({ autoScalingGroupName }) => autoScalingGroupName))];
  const answers = await Promise.all(doubtfulGroups.map((name) => launches.readTerminating(name)));
  const terminating = new Set(answers.flatMap((ids) => [...ids]));
  const leaving = new Set(doubtful.filter(({ instanceId }) => terminating.has(instanceId)));
  return members.map((member) =>
    leaving.has(member) ? { ...member, lifecycleState: 'Terminating' } : member,
  );
}

type GroupFacts = Pick<
  StepFacts,
  | 'withoutHook'
  | 'targets'
  | 'refreshes'
  | 'failedLaunches'
  | 'raisedAlarms'
  | 'unknownAlarms'
  | 'canaries'
  | 'emptyNodes'
>;

const nothing: GroupFacts = {
  targets: new Map(),
  refreshes: new Map(),
  failedLaunches: new Map(),
  raisedAlarms: [],
  unknownAlarms: [],
  canaries: new Map(),
};

/** The facts for the next step of one of the rolls. What would not change the step is not read. */
export async function factsOf(
  context: RollContext,
  {
    observation,
    rolls,
    live,
  }: { readonly observation: Observation; readonly rolls: readonly LiveRoll[]; readonly live: LiveRoll },
): Promise<StepFacts> {
  const { roll, seen } = live;
  const { pods: _pods, ...base } = observation;
  const closed = whyClosed(roll, observation.now);
  const facts: StepFacts = {
    ...base,
    roll,
    ...(seen && { seen }),
    others: rolls.filter((one) => one !== live && !hasStopped(one)).map((one) => one.roll),
    ...nothing,
    ...(closed !== undefined && { closed }),
  };
  if (roll.wanted !== 'run' || hasStopped(live)) return facts;
  // A roll that `drover pause` holds is looked at once it is over: pods change.
  const podsCheck =
    needsPodsCheck(live) && whyHeld(facts) === undefined
      ? await checkPods(context, roll, observation)
      : undefined;
  const progress = progressOf(roll, facts);
  // Also of a roll without old instances: its last replacement may have no API server yet.
  const asksApiServers = progress.some(({ role }) => role !== 'worker');
  return {
    ...facts,
    ...(await readGroups(context, { observation, live, progress })),
    ...(asksApiServers && { apiServers: apiServersIn(await observation.pods()) }),
    ...(podsCheck && { podsCheck }),
  };
}

async function readGroups(
  context: RollContext,
  {
    observation,
    live: { roll, seen },
    progress,
  }: {
    readonly observation: Observation;
    readonly live: LiveRoll;
    readonly progress: readonly GroupProgress[];
  },
): Promise<GroupFacts> {
  const unfinished = progress.filter((one) => one.group && !isReplaced(one));
  if (unfinished.length === 0) return nothing;
  const { launches, readAlarms, settings } = context;
  const names = unfinished.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const since = Math.max(roll.startedAt, roll.resumedAt ?? 0);
  const [targets, refreshes, failed, alarms, pods, withoutHook] = await Promise.all([
    launches.readTargets(unfinished.flatMap(({ group }) => group ?? [])),
    Promise.all(names.map((name) => launches.findActiveRefresh(name))),
    Promise.all(names.map((name) => launches.readFailedLaunches(name, since))),
    readAlarms(roll.stopOn),
    observation.pods(),
    groupsWithoutHook(context, unfinished),
  ]);
  const failedLaunches = new Map(
    names.flatMap((name, index): [string, FailedLaunches][] => {
      const found = failed[index];
      return found ? [[name, found]] : [];
    }),
  );
  const isNew = (member: RollMember): boolean => isLaunchedSince(roll, member);
  const membersOf = ({ autoScalingGroupName: name }: GroupProgress): readonly RollMember[] =>
    observation.members.filter(({ autoScalingGroupName }) => autoScalingGroupName === name);
  const canaryOf = (one: GroupProgress) => {
    const own = membersOf(one);
    const peers = progress.filter((other) => other !== one && other.role === one.role).flatMap(membersOf);
    return judgeCanary({
      now: observation.now,
      roll,
      newMembers: own.filter(isNew),
      oldMembers: own.filter((member) => !isNew(member)),
      oldPeers: peers.filter((member) => !isNew(member)),
      isReplaced: isReplaced(one),
      pods,
      isEtcd: one.role === 'etcd',
      joinTimeoutSeconds: settings.joinTimeoutSeconds,
      ...(seen?.unreadableUntil !== undefined && { unreadableUntil: seen.unreadableUntil }),
    });
  };
  // What a group has launched may still have to bake before the next one of its role begins.
  const baking = progress.filter(
    (one) => isReplaced(one) && one.fresh.some(isNew) && unfinished.some(({ role }) => role === one.role),
  );
  return {
    targets,
    withoutHook,
    refreshes: new Map(
      names.flatMap((name, index) => {
        const id = refreshes[index];
        return id === undefined ? [] : [[name, id] as const];
      }),
    ),
    failedLaunches,
    raisedAlarms: alarms.inAlarm,
    unknownAlarms: alarms.unknown,
    canaries: new Map(
      [...unfinished, ...baking].map((one) => [one.autoScalingGroupName, canaryOf(one)] as const),
    ),
    emptyNodes: namesOfEmpty(
      unfinished.flatMap(({ fresh }) => fresh.flatMap(({ node }) => node ?? [])),
      pods,
    ),
  };
}

/** Whether nothing of a group is left to replace. */
const isReplaced = ({ old, leaving }: GroupProgress): boolean => old.length + leaving.length === 0;

/** For a member of etcd, the hook of etcd-membership is enough. */
async function groupsWithoutHook(
  { autoScaling, settings }: RollContext,
  groups: readonly GroupProgress[],
): Promise<ReadonlySet<string>> {
  const { leavingHookName, etcdHookName } = settings;
  const found = await Promise.all(
    groups.map(async ({ autoScalingGroupName, role }) => {
      const hooks = await autoScaling.describeHooks(autoScalingGroupName);
      const names = role === 'etcd' ? [leavingHookName, etcdHookName] : [leavingHookName];
      return names.some((name) => findTerminatingHook(hooks, name)) ? [] : autoScalingGroupName;
    }),
  );
  return new Set(found.flat());
}

/** Why the window of a roll is closed. A window that cannot be read is closed: the roll would begin at any time otherwise. */
function whyClosed({ window: text }: Roll, now: number): string | undefined {
  if (text === undefined) return undefined;
  const reading = parseWindow(text);
  if (reading.kind === 'invalid') return `its window is not understood: ${reading.why}`;
  const state = windowAt(reading.window, now);
  return state.isOpen ? undefined : `its window opens at ${new Date(state.opensAt).toISOString()}`;
}
