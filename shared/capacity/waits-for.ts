import { roleOf } from '../groups/group.ts';
import {
  isPastTerminatingWait,
  isRetained,
  isTerminatingWait,
  waitsToLeave,
} from '../groups/lifecycle-state.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import type { LeavingInstance } from './leaving-instances.ts';

/** What a leaving instance waits for, in the words of its mark and its lifecycle state. Pure. */
export function waitsFor(instance: LeavingInstance): string {
  const { member } = instance;
  if (instance.node && member === undefined) return marked(instance.node.mark);
  if (member === undefined) return 'unknown';
  if (isRetained(member)) return 'a person, because its group retains it';
  if (isPastTerminatingWait(member)) return 'EC2 to terminate it';
  if (instance.pause) return 'the end of the pause';
  if (instance.node?.mark.bootBefore !== undefined && !waitsToLeave(member))
    return 'its new root volume, and its kubelet to join again';
  if (instance.node) return marked(instance.node.mark);
  if (isTerminatingWait(member)) return withoutMark(instance);
  return 'Auto Scaling';
}

function withoutMark({ hook, otherHooks = [], group }: LeavingInstance): string {
  const names = otherHooks.join(', ');
  if (hook)
    return names
      ? `its first pass, the concurrency limit, or another hook: ${names}`
      : 'its first pass, or the concurrency limit';
  return group && roleOf(group) === 'etcd'
    ? 'its member to leave etcd: see drover etcd status'
    : `a hook that is not Drover’s${names && `: ${names}`}`;
}

function marked({ waitingFor, andMore = 0, missingSince }: LeavingMark): string {
  if (missingSince !== undefined) return 'confirmation that its instance is gone';
  if (waitingFor.length === 0) return 'its pods to end and its volumes to detach';
  return `${waitingFor.join(', ')}${andMore > 0 ? ` and ${andMore} more` : ''}`;
}
