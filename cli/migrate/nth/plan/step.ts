import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { ObservedGroup } from '../../../adopt/plan/observation.ts';
import type { Step as AdoptStep, Refusal } from '../../../adopt/plan/step.ts';
import type { MigrationRecord } from '../record.ts';
import type { SettingRow } from './compare.ts';
import { membersHeldBy, wordsOf } from './leaving.ts';

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
    | { readonly kind: 'record'; readonly record: MigrationRecord }
    /** Until no hook of these transitions holds an instance of the group. */
    | { readonly kind: 'await'; readonly transitions: readonly LifecycleHook['transition'][] }
    | {
        readonly kind: 'delete-hook';
        readonly lifecycleHookName: string;
        /** One of these hooks must be there on the same transition, so that instances do not go undrained; empty if there was none before. */
        readonly heirs: readonly string[];
      }
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

/** The wait for what hooks of these transitions hold. */
export function awaitStep(
  { instances }: Pick<ObservedGroup, 'instances'>,
  hooks: readonly Pick<LifecycleHook, 'transition'>[],
  { does, risk }: { readonly does: string; readonly risk: string },
): Step {
  const transitions = [...new Set(['terminating' as const, ...hooks.map(({ transition }) => transition)])];
  const held = membersHeldBy(instances, transitions).map(wordsOf);
  return {
    kind: 'await',
    transitions,
    subject:
      held.length > 0
        ? held.join(', ')
        : `instances that ${transitions.length > 1 ? 'launch or leave' : 'leave'}`,
    does: `${held.length === 1 ? 'is' : 'are'} ${does}`,
    risk,
  };
}

export interface GroupPlan {
  readonly autoScalingGroupName: string;
  readonly steps: readonly Step[];
}

export interface MigrationPlan {
  /** Undefined for the way back, which does not depend on it. */
  readonly handler: string | undefined;
  readonly settings: readonly SettingRow[];
  /** Rights and log-ins of Drover, before any group. */
  readonly access: readonly AdoptStep[];
  readonly groups: readonly GroupPlan[];
  readonly refusals: readonly Refusal[];
  readonly notices: readonly string[];
  /** What you do once no group is left, as sentences and commands. */
  readonly afterwards: readonly string[];
}
