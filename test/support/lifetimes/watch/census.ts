import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { readLeavingSettings } from '../../../../shared/groups/group-settings.ts';
import { instanceIdOf } from '../../../../shared/nodes/node-names.ts';

/** What is true of an instance, whatever Drover knows of it. Times in epoch milliseconds. */
export interface Resident {
  readonly instanceId: string;
  autoScalingGroupName: string;
  /** As Auto Scaling has it; undefined once it is in no group. */
  lifecycleState: string | undefined;
  /** When it was last seen to leave its group. */
  leftGroupAt: number | undefined;
  nodeName: string | undefined;
  /** Since when there is a reason for it to leave. */
  leavingSince: number | undefined;
  /** When EC2 takes it, whatever Drover does. */
  takenAt: number | undefined;
  /** There is no time to choose. */
  hurried: boolean;
  waitingSince: number | undefined;
  waitEndedAt: number | undefined;
  /** When we completed its hook, if Auto Scaling took it. */
  completedAt: number | undefined;
  /** Its last wait on the launch hook. */
  join: JoinWait | undefined;
  /** A user deleted its Node. */
  nodeDeletedByHand: boolean;
  /** When a user cordoned its Node. */
  cordonedByHandAt: number | undefined;
  /** When something last uncordoned its Node although Drover had marked it. */
  uncordonedAt: number | undefined;
  /** How often a notice said that it leaves. */
  notices: number;
  /** When the change was cancelled that was the only reason for it to leave. */
  cancelledAt: number | undefined;
  /** When something last edited the mark of its Node. */
  markEditedAt: number | undefined;
  /** The earliest time since which an edited mark says that it leaves. */
  editedSince: number | undefined;
  /** The Node that Drover has reserved to give it back, or released. */
  reservedUid: string | undefined;
  /** Auto Scaling has accepted that it is given back. */
  givenBack: boolean;
  /** When its kubelet was last seen not to answer. */
  silentAt: number | undefined;
  /** When EC2 was last seen to run it. */
  runningAt: number | undefined;
  /** As Auto Scaling has it. */
  healthy: boolean;
  /** The version of the launch template that it was launched from. */
  version: number | undefined;
  /** When something last undid what a roll had written to its Node, and whether that garbled the mark. */
  rollingEditedAt: number | undefined;
  rollingGarbled: boolean;
  /** The Node that a roll has marked. */
  rolledUid: string | undefined;
  /** Since when it is in its lifecycle state. */
  enteredAt: number;
}

interface JoinWait {
  readonly since: number;
  endedAt: number | undefined;
  /** When we completed its hook, if Auto Scaling took it. */
  completedAt: number | undefined;
}

interface TagChange {
  readonly at: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** `heartbeatTimeoutSeconds` is absent where the hook was removed. */
export interface HookChange {
  readonly at: number;
  readonly heartbeatTimeoutSeconds?: number;
}

/** Keeps book of every instance and of the tags of every group. */
export interface Census {
  /** Looks at the world as it is now. */
  observe(): void;
  find(instanceId: string): Resident | undefined;
  ofNode(nodeName: string): Resident | undefined;
  all(): readonly Resident[];
  /** The history calls this when there is a reason for this instance to leave. */
  noticed(instanceId: string, notice: { readonly takenAt?: number; readonly hurried?: boolean }): void;
  /** The history calls this when AWS cancels the change that an instance should leave for. */
  changeCancelled(instanceId: string): void;
  nodeDeletedByHand(nodeName: string): void;
  nodeCordonedByHand(nodeName: string): void;
  markedNodeUncordoned(nodeName: string): void;
  /** The history calls this when something edits the mark of the Node, perhaps to begin at another time. */
  markEdited(nodeName: string, since: string | undefined): void;
  /** The history calls this when something undoes what a roll has written to the Node. */
  rollingEdited(nodeName: string, how: string): void;
  /** The history calls these when the hook has another timeout, or no longer exists. */
  hookChanged(autoScalingGroupName: string, heartbeatTimeoutSeconds: number): void;
  hookRemoved(autoScalingGroupName: string): void;
  /** What was done to the group's hook, oldest first. */
  hookChanges(autoScalingGroupName: string): readonly HookChange[];
  /** Every set of tags that the group has had since then, and the one before. */
  tagsSince(autoScalingGroupName: string, since: number): readonly Readonly<Record<string, string>>[];
}

const newcomer = (instanceId: string): Resident => ({
  instanceId,
  autoScalingGroupName: '',
  lifecycleState: undefined,
  leftGroupAt: undefined,
  nodeName: undefined,
  leavingSince: undefined,
  takenAt: undefined,
  hurried: false,
  waitingSince: undefined,
  waitEndedAt: undefined,
  completedAt: undefined,
  join: undefined,
  nodeDeletedByHand: false,
  cordonedByHandAt: undefined,
  uncordonedAt: undefined,
  notices: 0,
  cancelledAt: undefined,
  markEditedAt: undefined,
  editedSince: undefined,
  reservedUid: undefined,
  givenBack: false,
  silentAt: undefined,
  runningAt: undefined,
  healthy: true,
  version: undefined,
  rollingEditedAt: undefined,
  rollingGarbled: false,
  rolledUid: undefined,
  enteredAt: -Infinity,
});

export function createCensus({ account, kubernetes, clock, kubelets }: DroverWorld): Census {
  const residents = new Map<string, Resident>();
  const byNode = new Map<string, Resident>();
  const tags = new Map<string, TagChange[]>();
  const hookChanges = new Map<string, HookChange[]>();
  const recordHook = (name: string, change: Omit<HookChange, 'at'>): void => {
    hookChanges.set(name, [...(hookChanges.get(name) ?? []), { at: clock.now(), ...change }]);
  };
  const resident = (instanceId: string): Resident => {
    const known = residents.get(instanceId) ?? newcomer(instanceId);
    residents.set(instanceId, known);
    return known;
  };
  kubernetes.store.of('nodes').subscribe(({ type, object }) => {
    const instanceId = instanceIdOf(object.spec?.providerID);
    if (type !== 'ADDED' || instanceId === undefined) return;
    resident(instanceId).nodeName = object.metadata.name;
    byNode.set(object.metadata.name, resident(instanceId));
  });
  const recordTags = (name: string, current: Readonly<Record<string, string>>): void => {
    const changes = tags.get(name) ?? [];
    const last = changes.at(-1);
    if (last && JSON.stringify(last.tags) === JSON.stringify(current)) return;
    tags.set(name, [...changes, { at: clock.now(), tags: current }]);
  };
  return {
    observe: () => {
      const seen = new Set<string>();
      for (const group of account.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups) {
        const name = group.AutoScalingGroupName ?? '';
        recordTags(name, Object.fromEntries((group.Tags ?? []).map(({ Key, Value }) => [Key, Value ?? ''])));
        for (const { InstanceId = '', LifecycleState, HealthStatus, LaunchTemplate } of group.Instances ??
          []) {
          seen.add(InstanceId);
          const one = resident(InstanceId);
          one.healthy = HealthStatus !== 'Unhealthy';
          one.version = Number(LaunchTemplate?.Version);
          enter(one, { name, state: LifecycleState ?? '', now: clock.now() });
        }
      }
      for (const one of residents.values()) {
        if (!seen.has(one.instanceId)) enter(one, { name: '', state: undefined, now: clock.now() });
        if (one.nodeName !== undefined && kubelets.get(one.instanceId)?.alive !== true)
          one.silentAt = clock.now();
        if (account.ec2.instances.find(one.instanceId)?.state === 'running') one.runningAt = clock.now();
      }
    },
    find: (instanceId) => residents.get(instanceId),
    ofNode: (nodeName) => byNode.get(nodeName),
    all: () => [...residents.values()],
    noticed: (instanceId, { takenAt, hurried = false }) => {
      const one = resident(instanceId);
      one.leavingSince ??= clock.now();
      if (takenAt !== undefined) one.takenAt = Math.min(takenAt, one.takenAt ?? Infinity);
      one.hurried ||= hurried;
      one.notices += 1;
      one.cancelledAt = undefined;
    },
    changeCancelled: (instanceId) => {
      const one = resident(instanceId);
      if (one.notices === 1) one.cancelledAt = clock.now();
    },
    nodeDeletedByHand: (nodeName) => {
      const one = byNode.get(nodeName);
      if (one) one.nodeDeletedByHand = true;
    },
    nodeCordonedByHand: (nodeName) => {
      const one = byNode.get(nodeName);
      if (one) one.cordonedByHandAt ??= clock.now();
    },
    markedNodeUncordoned: (nodeName) => {
      const one = byNode.get(nodeName);
      if (one) one.uncordonedAt = clock.now();
    },
    markEdited: (nodeName, since) => {
      const one = byNode.get(nodeName);
      if (!one) return;
      one.markEditedAt = clock.now();
      if (since !== undefined) one.editedSince = Math.min(one.editedSince ?? Infinity, Date.parse(since));
    },
    rollingEdited: (nodeName, how) => {
      const one = byNode.get(nodeName);
      if (!one) return;
      one.rollingEditedAt = clock.now();
      one.rollingGarbled ||= how === 'garble' || how === 'remove';
    },
    hookChanged: (name, heartbeatTimeoutSeconds) => recordHook(name, { heartbeatTimeoutSeconds }),
    hookRemoved: (name) => recordHook(name, {}),
    hookChanges: (name) => hookChanges.get(name) ?? [],
    tagsSince: (name, since) => {
      const changes = tags.get(name) ?? [];
      const before = changes.findLastIndex(({ at }) => at <= since);
      return changes.slice(Math.max(0, before)).map((change) => change.tags);
    },
  };
}

function enter(
  one: Resident,
  { name, state, now }: { readonly name: string; readonly state: string | undefined; readonly now: number },
): void {
  if (name !== '') one.autoScalingGroupName = name;
  if (state === one.lifecycleState) return;
  one.lifecycleState = state;
  one.enteredAt = now;
  if (state === undefined) one.leftGroupAt = now;
  if (state?.startsWith('Terminating')) one.leavingSince ??= now;
  if (state === 'Pending:Wait') one.join = { since: now, endedAt: undefined, completedAt: undefined };
  else if (one.join) one.join.endedAt ??= now;
  if (state === 'Terminating:Wait') {
    one.waitingSince = now;
    one.waitEndedAt = undefined;
    one.completedAt = undefined;
  } else if (one.waitingSince !== undefined) one.waitEndedAt ??= now;
}

const defaults = {
  drainTimeoutSeconds: 1800,
  onFailure: 'CONTINUE',
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  maxLeaving: 50,
  drainOnRebalance: false,
  awaitReplacement: false,
  annotationTimeoutSeconds: 86_400,
} as const;

/** What a group's tags say, over the deployment's defaults. */
export const settingsOf = (tags: Readonly<Record<string, string>>) =>
  readLeavingSettings(tags, defaults).settings;
