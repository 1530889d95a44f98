import type { Disagreement } from './compare.ts';

/** Where Drover does otherwise than kubectl, and means to. */
export interface Difference {
  /** What Drover does. */
  readonly drover: string;
  /** What kubectl does instead. */
  readonly kubectl: string;
  readonly why: string;
  readonly explains: (disagreement: Disagreement) => boolean;
}

/** All of them: whatever else the two disagree in is a fault. */
export const differences: readonly Difference[] = [
  {
    drover: 'a pod that has stopped, and that only finalizers keep, is left alone',
    kubectl: 'it evicts the pod and waits for it, or lets it refuse the drain',
    why: 'nothing of it runs on the node any more: nobody is spared by waiting until somebody takes its finalizers away',
    explains: ({ pod, drover }) =>
      pod.reason.startsWith('has stopped, only finalizers remain') &&
      (drover === 'stays' || drover === 'does not refuse'),
  },
  {
    drover: 'a pod that is on its way already is waited for, and not asked again',
    kubectl: 'it asks for the pod anew, and warns where it has no controller',
    why: 'a second eviction with the same grace changes nothing',
    explains: ({ pod, kubectl, drover }) =>
      pod.terminatesAt !== undefined &&
      kubectl === 'is evicted, without a controller' &&
      drover === 'is evicted',
  },
];
