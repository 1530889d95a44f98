import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { type Pause, pauseOf, pauseTag, pauseTagKey } from '../../shared/passes/pause.ts';

/** What a pause or its end means for one group. */
export type PauseChange = {
  readonly autoScalingGroupName: string;
  /** The pause of the group before the change. */
  readonly before?: Pause;
  /** The value that the tag is to have; absent: no tag. Written also by `none`, because the description of a group may be seconds old. */
  readonly value?: string;
  readonly kind: 'none' | 'set' | 'remove';
};

type Group = Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>;

/** A paused group keeps its pause, with the user who paused it first. Pure. */
export function planPause(
  groups: readonly Group[],
  asked: { readonly scope: Pause['scope']; readonly since: string; readonly by: string },
): readonly PauseChange[] {
  const { value } = pauseTag(asked);
  return groups.map((group) => {
    const before = pauseOf(group.tags);
    const named = { autoScalingGroupName: group.autoScalingGroupName };
    return before
      ? { ...named, kind: 'none', before, value: group.tags[pauseTagKey] ?? value }
      : { ...named, kind: 'set', value };
  });
}

/** Resumes each paused group, whatever the user and the scope of the pause. Pure. */
export function planResume(groups: readonly Group[]): readonly PauseChange[] {
  return groups.map(({ autoScalingGroupName, tags }) => {
    const before = pauseOf(tags);
    return before ? { autoScalingGroupName, kind: 'remove', before } : { autoScalingGroupName, kind: 'none' };
  });
}
