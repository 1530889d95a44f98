import type { Taint } from 'kubernetes-types/core/v1.d.ts';

/** What one of Drover's functions asks the world for, as it leaves the function. */
export type Call = { readonly at: number; readonly caller: string; readonly what: string } & Deed;

type Deed =
  | { readonly kind: 'evict' | 'delete-pod'; readonly pod: PodTarget }
  | { readonly kind: 'delete-node'; readonly node: NodeTarget }
  | { readonly kind: 'patch-node'; readonly node: NodeTarget; readonly patch: NodePatch }
  | {
      readonly kind: 'complete' | 'beat';
      readonly hook: string;
      readonly instanceId: string;
      readonly autoScalingGroupName: string;
      readonly result?: string;
    }
  | { readonly kind: 'hand-back'; readonly instanceId: string }
  /** Of an empty node: the desired capacity goes down with it. */
  | { readonly kind: 'give-back'; readonly instanceId: string }
  /** SetInstanceHealth. */
  | { readonly kind: 'set-health'; readonly instanceId: string; readonly healthy: boolean }
  | {
      readonly kind: 'set-bounds';
      readonly autoScalingGroupName: string;
      readonly minSize?: number;
      readonly maxSize?: number;
    }
  | { readonly kind: 'send'; readonly bodies: readonly string[] }
  /** Notifications to EventBridge, by the ids of their occurrences. */
  | { readonly kind: 'notify'; readonly ids: readonly string[] }
  /** Of a certificate request. */
  | { readonly kind: 'approve'; readonly request: string }
  | { readonly kind: 'read' };

interface PodTarget {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly gracePeriodSeconds?: number;
}

interface NodeTarget {
  readonly name: string;
  readonly uid?: string;
}

export interface NodePatch {
  readonly metadata?: {
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string | null>>;
    readonly labels?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly unschedulable?: boolean | null; readonly taints?: readonly Taint[] };
}

/** A call and what was answered: a status, or the connection's error. */
export interface AnsweredCall {
  readonly call: Call;
  readonly answer: number | string;
  /** AWS has refused the call because calls came too fast. */
  readonly isThrottled: boolean;
}
