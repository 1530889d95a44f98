/**
 * What a drain does with a pod, and why, in words for an operator:
 * - `evict`: asks the API server, which heeds the pod's budget;
 * - `delete`: bypasses the budget, at the node's deadline or on the operator's order;
 * - `skip`: leaves the pod and does not wait for it;
 * - `refuse`: stops the whole drain until a person has decided about this pod.
 */
export interface PodVerdict {
  readonly verdict: 'evict' | 'delete' | 'skip' | 'refuse';
  readonly reason: string;
}

/** The answer of a filter: it passes the pod on, perhaps with a note, or decides. */
export type FilterAnswer =
  | { readonly verdict: 'pass'; readonly note?: string }
  | { readonly verdict: 'skip' | 'refuse'; readonly reason: string };

export const pass = (note?: string): FilterAnswer => ({ verdict: 'pass', ...(note && { note }) });
export const skip = (reason: string): FilterAnswer => ({ verdict: 'skip', reason });
export const refuse = (reason: string): FilterAnswer => ({ verdict: 'refuse', reason });
