import { etcdStatusTagKey } from '../../shared/etcd/groups.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import {
  giveBackTagKey,
  type LeavingSettings,
  leavingTags,
  readGiveBack,
  readLeavingSettings,
  readSettings,
} from '../../shared/groups/group-settings.ts';
import { type JoiningSettings, joiningTags } from '../../shared/joining/settings.ts';
import { pauseTagKey } from '../../shared/passes/pause.ts';
import { readRepair, repairTagKey } from '../../shared/sweep/repair/settings.ts';

const prefix = 'drover.dev/';

/** Tags under our prefix that do not change how a node leaves or joins. */
const others = ['drover.dev/role', pauseTagKey, etcdStatusTagKey, repairTagKey, giveBackTagKey];

/** The problems of tags do not depend on the defaults. */
const anyDefaults: LeavingSettings = {
  drainTimeoutSeconds: 1800,
  onFailure: 'CONTINUE',
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  maxLeaving: 1,
  drainOnRebalance: false,
};

const anyJoiningDefaults: JoiningSettings = { joinTimeoutSeconds: 720, onJoinFailure: 'hold' };

/** Tags of a managed group that cannot be read, and those under our prefix that mean nothing: mostly a typing mistake. Pure. */
export function tagProblems({ tags }: Pick<AutoScalingGroup, 'tags'>): readonly string[] {
  const unknown = Object.keys(tags).filter((key) => key.startsWith(prefix) && !isKnown(key));
  return [
    ...readLeavingSettings(tags, anyDefaults).problems,
    ...readSettings(joiningTags, { tags, defaults: anyJoiningDefaults }).problems,
    ...readRepair(tags).problems,
    ...readGiveBack(tags).problems,
    ...unknown.map((key) => `tag ${key} is unknown to Drover: check its spelling`),
  ];
}

const isKnown = (key: string): boolean =>
  Object.hasOwn(leavingTags, key) || Object.hasOwn(joiningTags, key) || others.includes(key);
