import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { Step as AdoptStep, Refusal } from '../../../adopt/plan/step.ts';
import type { SettingRow } from './compare.ts';

interface StepWords {
  readonly subject: string;
  /** What happens to the subject. */
  readonly does: string;
  readonly risk?: string;
}

/** One step of the migration of a group. Each may be repeated. */
export type Step = StepWords &
  (
    | { readonly kind: 'adopt'; readonly step: AdoptStep }
    | { readonly kind: 'record' }
    /** Until no hook of these transitions holds an instance of the group. */
    | { readonly kind: 'await'; readonly transitions: readonly LifecycleHook['transition'][] }
    | { readonly kind: 'delete-hook'; readonly lifecycleHookName: string }
    | { readonly kind: 'put-hook'; readonly hook: LifecycleHook }
    | {
        readonly kind: 'set-tag';
        readonly tags: Readonly<Record<string, { readonly value: string; readonly propagates: boolean }>>;
      }
    | { readonly kind: 'delete-tags'; readonly keys: readonly string[] }
    /** The tag of instances, by its value on them. */
    | { readonly kind: 'take-tag'; readonly key: string; readonly values: ReadonlyMap<string, string> }
    | { readonly kind: 'give-tag'; readonly key: string; readonly values: ReadonlyMap<string, string> }
  );

export interface GroupPlan {
  readonly autoScalingGroupName: string;
  readonly steps: readonly Step[];
}

export interface MigrationPlan {
  readonly handler: string;
  readonly settings: readonly SettingRow[];
  /** Rights and log-ins of Drover, before any group. */
  readonly access: readonly AdoptStep[];
  readonly groups: readonly GroupPlan[];
  readonly refusals: readonly Refusal[];
  readonly notices: readonly string[];
  /** What you do once no group is left, as sentences and commands. */
  readonly afterwards: readonly string[];
}
