import type { Disagreement } from './compare.ts';

/** A deliberate difference between Drover and kubectl. */
export interface Difference {
  /** What Drover does. */
  readonly drover: string;
  /** What kubectl does instead. */
  readonly kubectl: string;
  readonly why: string;
  readonly explains: (disagreement: Disagreement) => boolean;
}

/** All of them. Any other disagreement is a bug. */
export const differences: readonly Difference[] = [
  {
    drover: 'a pod that has stopped, and that only finalizers keep, is left alone',
    kubectl: 'it evicts the pod and waits for it, or lets it refuse the drain',
    why: 'none of its containers runs on the node any more, so waiting until its finalizers are removed would protect nothing',
    explains: ({ pod, drover }) =>
      pod.reason.startsWith('has stopped, only finalizers remain') &&
      (drover === 'stays' || drover === 'does not refuse'),
  },
  {
    drover: 'a pod that is terminating already is waited for, and not evicted again',
    kubectl: 'it evicts the pod again, and warns if it has no controller',
    why: 'a second eviction with the same grace changes nothing',
    explains: ({ pod, kubectl, drover }) =>
      pod.terminatesAt !== undefined &&
      kubectl === 'is evicted, without a controller' &&
      drover === 'is evicted',
  },
];
