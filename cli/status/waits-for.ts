import type { LeavingMark } from '../../shared/draining/leaving-mark.ts';
import type { Leaver } from '../leaving/leavers.ts';

/** What a leaving instance waits for, in the words of its mark and its lifecycle state. Pure. */
export function waitsFor(leaver: Leaver): string {
  const state = leaver.member?.lifecycleState;
  if (leaver.node && state === undefined) return marked(leaver.node.mark);
  if (state === undefined) return 'unknown';
  if (state.endsWith('Terminating:Retained')) return 'a person, because its group retains it';
  if (/Terminating:Proceed$|Terminated$/.test(state)) return 'EC2 to terminate it';
  if (leaver.pause) return 'the end of the pause';
  if (leaver.node) return marked(leaver.node.mark);
  if (state.endsWith('Terminating:Wait'))
    return leaver.hook ? 'its first pass, or the concurrency limit' : 'a hook that is not Drover’s';
  return 'Auto Scaling';
}

function marked({ waitingFor, andMore = 0, missingSince }: LeavingMark): string {
  if (missingSince !== undefined) return 'confirmation that its instance is gone';
  if (waitingFor.length === 0) return 'its pods to end and its volumes to detach';
  return `${waitingFor.join(', ')}${andMore > 0 ? ` and ${andMore} more` : ''}`;
}
