import { shellWord } from '../base/shell-words.ts';
import { etcdStatusTagKey } from '../etcd/groups.ts';
import { type AutoScalingGroup, clusterTag, isManaged, otherClustersOf } from '../groups/group.ts';
import {
  giveBackTagKey,
  isMigratedTag,
  type LeavingSettings,
  leavingTags,
  readGiveBack,
  readLeavingSettings,
  readSettings,
} from '../groups/group-settings.ts';
import { unreadTaints } from '../joining/node-template.ts';
import { type JoiningSettings, joiningTags } from '../joining/settings.ts';
import { pauseTagKey } from '../passes/pause.ts';
import { readRepair, repairTagKey, repairWindowTagKey } from '../sweep/repair/settings.ts';
import type { FoundProblem } from './problem.ts';

const prefix = 'drover.dev/';

/** Tags under our prefix that do not change how a node leaves or joins. */
const others = [
  'drover.dev/role',
  pauseTagKey,
  etcdStatusTagKey,
  repairTagKey,
  repairWindowTagKey,
  giveBackTagKey,
];

/** The problems of tags do not depend on the defaults. */
const anyDefaults: LeavingSettings = {
  drainTimeoutSeconds: 1800,
  onFailure: 'CONTINUE',
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  maxLeaving: 1,
  drainOnRebalance: false,
  awaitReplacement: false,
  annotationTimeoutSeconds: 86_400,
};

const anyJoiningDefaults: JoiningSettings = { joinTimeoutSeconds: 720, onJoinFailure: 'hold' };

type Group = Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>;

/** Tags of a managed group that cannot be read, those of taints that are none, and those under our prefix that mean nothing: mostly a typing mistake. Pure. */
export function tagProblems({ autoScalingGroupName, tags }: Group): readonly FoundProblem[] {
  const unknown = Object.keys(tags).filter((key) => isOurs(key) && !isKnown(key));
  const unreadable = [
    ...readLeavingSettings(tags, anyDefaults).problems,
    ...readSettings(joiningTags, { tags, defaults: anyJoiningDefaults }).problems,
    ...readRepair(tags).problems,
    ...readGiveBack(tags).problems,
  ];
  const problem = { kind: 'tag', subject: autoScalingGroupName } as const;
  return [
    ...unreadable.map((message) => ({
      ...problem,
      message,
      command: setTag(autoScalingGroupName, keyIn(message), 'VALUE'),
    })),
    ...unreadTaints(tags).map(({ tag, problem: message, meant }) => ({
      ...problem,
      message,
      command: setTag(autoScalingGroupName, tag, meant ?? 'VALUE:EFFECT'),
    })),
    ...unknown.map((key) => ({
      ...problem,
      message: `tag ${key} is unknown to Drover: check its spelling`,
      command: deleteTag(autoScalingGroupName, key),
    })),
  ];
}

/** Keys of tags have case, which is easily mistyped. */
const isOurs = (key: string): boolean => key.toLowerCase().startsWith(prefix);

const isKnown = (key: string): boolean =>
  Object.hasOwn(leavingTags, key) ||
  Object.hasOwn(joiningTags, key) ||
  others.includes(key) ||
  isMigratedTag(key);

/**
 * Two deployments may manage a group with the tags of two clusters. Each sees only the Nodes of its own cluster, so it may take an instance
 * of the other one for a launch that failed. Pure.
 */
export const secondClusterProblems = (group: Group, clusterName: string): readonly FoundProblem[] =>
  otherClustersOf(group, clusterName).map((other) => ({
    kind: 'tag',
    subject: group.autoScalingGroupName,
    message: `it has the tag of cluster ${other} too, whose Drover may manage it as well: delete the tag of the cluster that its nodes are not in`,
    command: deleteTag(group.autoScalingGroupName, clusterTag(other)),
  }));

/** A group without our tags is left alone on purpose; one whose tags of ours say nothing known is mostly a mistake. Pure. */
export function unmanagedProblems(group: Group, clusterName: string): readonly FoundProblem[] {
  const isMeantForUs = Object.keys(group.tags).some(isOurs);
  const reason = whyUnmanaged(group, clusterName);
  if (!isMeantForUs || reason === undefined) return [];
  const { autoScalingGroupName: subject } = group;
  const command = setTag(subject, keyIn(reason), 'VALUE');
  return [{ kind: 'tag', subject, message: `it is left alone: ${reason}`, command }];
}

/**
 * The cluster's tag in another case, such as `kubernetes.io/cluster/PROD`. Auto Scaling and Drover compare keys of tags with case, and find no
 * such group. IAM compares them without case, so that Drover's roles may change it. Pure.
 */
export function clusterTagsInOtherCase(
  { autoScalingGroupName: subject, tags }: Group,
  clusterName: string,
): readonly FoundProblem[] {
  const own = clusterTag(clusterName);
  return Object.entries(tags)
    .filter(([key]) => key !== own && key.toLowerCase() === own.toLowerCase())
    .map(([key, value]) => ({
      kind: 'tag',
      subject,
      message: `its tag ${key} differs from ${own} only in case, ${
        tags[own] === undefined
          ? 'so Drover does not manage it'
          : 'and it has both, so IAM may deny Drover its changes'
      }. Replace it, or, if it is the tag of another cluster, rename one of them: IAM compares keys of tags without case`,
      command: `${setTag(subject, own, value)} && ${deleteTag(subject, key)}`,
    }));
}

const roleTag = 'drover.dev/role';

/** Which tag keeps a group from being the cluster's to manage; undefined for one that is. Pure. */
export function whyUnmanaged(group: Pick<AutoScalingGroup, 'tags'>, clusterName: string): string | undefined {
  if (isManaged(group, clusterName)) return undefined;
  const ownershipTag = clusterTag(clusterName);
  const ownership = group.tags[ownershipTag];
  if (ownership === undefined) return `it has no tag ${ownershipTag}`;
  if (ownership !== 'owned' && ownership !== 'shared')
    return `its tag ${ownershipTag} must be owned or shared`;
  return group.tags[roleTag] === undefined
    ? `it has no tag ${roleTag}`
    : `its tag ${roleTag} must be worker, control-plane or etcd`;
}

/** The key of the tag that a message names. */
const keyIn = (message: string): string =>
  /(?:drover\.dev|kubernetes\.io)\/[^\s:]+/.exec(message)?.[0] ?? 'KEY';

const deleteTag = (group: string, key: string): string =>
  `aws autoscaling delete-tags --tags ${shellWord(`ResourceId=${group},ResourceType=auto-scaling-group,Key=${key}`)}`;

/** The command that sets a tag of a group, which its instances get too. */
export const setTag = (group: string, key: string, value: string): string =>
  `aws autoscaling create-or-update-tags --tags ${shellWord(
    `ResourceId=${group},ResourceType=auto-scaling-group,Key=${key},Value=${value},PropagateAtLaunch=true`,
  )}`;
