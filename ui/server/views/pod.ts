import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isDaemonSetPod, isReady, terminatesAt } from '../../../shared/draining/pod-facts.ts';
import type { PodState, PodView } from '../../state/types.ts';

/** A pod as a square of the page. */
export function podView(pod: Pod): PodView {
  const { uid = '', namespace = '', name = '' } = pod.metadata ?? {};
  return {
    uid,
    name: `${namespace}/${name}`,
    state: podState(pod),
    daemon: isDaemonSetPod(pod),
  };
}

/** As kubectl's STATUS column goes: what is being deleted is terminating, whatever its phase. */
function podState(pod: Pod): PodState {
  if (terminatesAt(pod) !== undefined) return 'terminating';
  const phase = pod.status?.phase;
  if (phase === 'Succeeded') return 'finished';
  if (phase === 'Failed' || phase === 'Unknown') return 'failed';
  return phase === 'Running' && isReady(pod) ? 'running' : 'pending';
}
