import type { LifecycleHook } from '../../../shared/groups/group.ts';
import type { KubernetesObject } from './observation.ts';

export interface TagToSet {
  readonly key: string;
  readonly value: string;
  readonly propagates: boolean;
}

/** One call that changes something. Each is harmless when it is repeated. */
export type Action =
  | { readonly kind: 'set-tags'; readonly group: string; readonly tags: readonly TagToSet[] }
  | {
      readonly kind: 'put-hook';
      readonly group: string;
      readonly hook: Pick<
        LifecycleHook,
        'lifecycleHookName' | 'transition' | 'heartbeatTimeoutSeconds' | 'defaultResult'
      >;
    }
  | { readonly kind: 'apply'; readonly object: KubernetesObject }
  | {
      readonly kind: 'create-entry';
      readonly clusterName: string;
      readonly principalArn: string;
      /** The groups of a STANDARD entry; undefined for an entry of nodes. */
      readonly groups: readonly string[] | undefined;
    }
  | {
      readonly kind: 'map-roles';
      /** The data of the ConfigMap that was read: the API server refuses the change if it is another one by then. Undefined if there was no ConfigMap. */
      readonly before: Readonly<Record<string, string>> | undefined;
      readonly after: string;
    }
  | {
      readonly kind: 'make-version';
      readonly templateId: string;
      readonly source: number;
      /** In base64. */
      readonly userData: string;
      readonly description: string;
      readonly clientToken: string;
    }
  | {
      readonly kind: 'move-group';
      readonly group: string;
      readonly templates: readonly {
        readonly templateId: string;
        readonly name: string;
        /** As the group has it: only specifications with it are moved. */
        readonly version: string;
        readonly from: number;
        /** Undefined if an action before this one makes the version of `from`. */
        readonly to: number | undefined;
      }[];
    }
  | {
      readonly kind: 'annotate-node';
      readonly name: string;
      readonly key: string;
      /** Null removes the annotation. */
      readonly value: string | null;
    }
  | { readonly kind: 'delete-binding'; readonly name: string };

/** One step of a plan, in the order in which the steps are done. */
export interface Step {
  /** The same for the same step of a later plan. */
  readonly id: string;
  /** The group; null for what the cluster needs once. */
  readonly group: string | null;
  readonly subject: string;
  readonly is: string;
  readonly shall: string;
  readonly actions: readonly Action[];
  readonly risk: string;
  /** How to undo it: a command, or a sentence. */
  readonly reversal: string;
}

/** Something that is not changed, and why. */
export interface Refusal {
  readonly subject: string;
  readonly reason: string;
  /** The command or the page that removes the reason; null if only you know it. */
  readonly remedy: string | null;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly refusals: readonly Refusal[];
  /** What you should know, and what remains as it is for now. */
  readonly notices: readonly string[];
}

export const join = (plans: readonly Partial<Plan>[]): Plan => ({
  steps: plans.flatMap(({ steps = [] }) => steps),
  refusals: plans.flatMap(({ refusals = [] }) => refusals),
  notices: [...new Set(plans.flatMap(({ notices = [] }) => notices))],
});
