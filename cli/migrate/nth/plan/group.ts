import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { planGroup } from '../../../adopt/plan/group.ts';
import type { ObservedGroup, Wishes } from '../../../adopt/plan/observation.ts';
import { whyNotAdoptable } from '../../../adopt/plan/refusal.ts';
import { tagValues } from '../../../adopt/plan/role.ts';
import type { Step as AdoptStep, Refusal } from '../../../adopt/plan/step.ts';
import { counted } from '../../../counted.ts';
import type { MigrationWishes, NthGroup, NthObservation } from '../observation.ts';
import { type MigrationRecord, readRecord, recordTags } from '../record.ts';
import type { Ownership } from '../settings/critical.ts';
import { nthHooksOf } from './hooks.ts';
import { isLeaving } from './leaving.ts';
import { unclearHooks, unreadableRecord } from './refusals.ts';
import { awaitStep, type GroupPlan, type Step } from './step.ts';
import { keysOfMigration, tagsLike } from './tags.ts';

export interface PlannedGroup extends GroupPlan {
  readonly refusals: readonly Refusal[];
  readonly notices: readonly string[];
}

/**
 * The steps of one group. Drover's tags and hook come first, so that an instance that begins to leave is always drained. Until the last tag is
 * taken, both may drain it: the handler then completes Drover's hook too, as it did its own. Its hook goes once no instance waits that had
 * begun before Drover's hook. Pure.
 */
export function planNthGroup(
  nth: NthGroup,
  observation: NthObservation & { readonly ownership: Ownership },
  wishes: MigrationWishes,
): PlannedGroup {
  const { group } = nth;
  const name = group.autoScalingGroupName;
  const refused = (...refusals: readonly Refusal[]): PlannedGroup => ({
    autoScalingGroupName: name,
    steps: [],
    refusals,
    notices: [],
  });
  const reading = readRecord(tagValues(group));
  if (reading.kind === 'unreadable') return refused(unreadableRecord(name));
  const record = reading.kind === 'record' ? reading.record : undefined;
  const found = nthHooksOf(group.hooks, { ...observation, names: observation.adoption }, wishes);
  const hooks = record?.hooks ?? found.hooks;
  const why =
    whyNotAdoptable(group, observation.adoption, adoptWishes(group, hooks, observation)) ??
    whyNotHandedOver(nth, observation, { unclear: record ? [] : found.unclear, hooks, record });
  if (why) return refused(why);
  const adoption = planAdoption(nth, hooks, observation);
  if ((adoption.refusals ?? []).length > 0) return refused(...(adoption.refusals ?? []));
  const rest = [...hookSteps(group, hooks, observation.adoption), ...tagSteps(nth, observation.ownership)];
  const changes = [...(adoption.steps ?? []).map(adoptStep), ...rest];
  if (changes.length === 0) return { autoScalingGroupName: name, steps: [], refusals: [], notices: [] };
  const newRecord = recordOf(group, hooks, observation);
  // One more marks a description for a moment.
  const tags = group.tags.size + recordTags(newRecord).size + keysOfMigration('').length + 1;
  if (record === undefined && tags > mostTags) return refused(tooManyTags(name, tags));
  return {
    autoScalingGroupName: name,
    steps: [
      ...(record ? [] : [recordStep(newRecord)]),
      ...(adoption.steps ?? []).map(adoptStep),
      ...(rest.length > 0 ? [awaitStep(group, hooks, awaitWords)] : []),
      ...rest,
    ],
    refusals: [],
    notices: [...(adoption.notices ?? []), ...noticesOf(nth, hooks)],
  };
}

/** Auto Scaling takes 50 tags of a group (EC2 Auto Scaling quotas). */
const mostTags = 50;

/** What the group has that a migration changes. Pure. */
export function recordOf(
  group: ObservedGroup,
  hooks: readonly LifecycleHook[],
  { ownership, adoption }: NthObservation & { readonly ownership: Ownership },
): MigrationRecord {
  const managedTag = ownership.kind === 'tag' ? ownership.key : undefined;
  const keys = [...keysOfMigration(adoption.clusterName), ...(managedTag === undefined ? [] : [managedTag])];
  const ours = [adoption.leavingHookName, adoption.joiningHookName];
  return {
    managedTag,
    hooks,
    tags: Object.fromEntries(keys.map((key) => [key, group.tags.get(key) ?? null])),
    newHooks: ours.filter((name) => group.hooks.every((hook) => hook.lifecycleHookName !== name)),
  };
}

const terminatingOf = (hooks: readonly LifecycleHook[]): readonly LifecycleHook[] =>
  hooks.filter(({ transition }) => transition === 'terminating');

/** The longest of its hooks, so that no drain has less time than before. */
const timeoutOf = (hooks: readonly LifecycleHook[]): number =>
  hooks.length === 0 ? 3600 : Math.max(...hooks.map((hook) => hook.heartbeatTimeoutSeconds));

/** What an adoption is asked for, so that Drover does what the handler did. A tag that the group has stays. */
function adoptWishes(
  { tags }: ObservedGroup,
  hooks: readonly LifecycleHook[],
  { handler, rules }: NthObservation,
): Wishes {
  const alike = [...tagsLike(handler.settings, hooks, rules)];
  return {
    role: undefined,
    tags: new Map(alike.filter(([key]) => !tags.has(key))),
    heartbeatTimeoutSeconds: timeoutOf(terminatingOf(hooks)),
    joining: hooks.some(({ transition }) => transition === 'launching'),
    exemptNodes: new Set(),
    userData: undefined,
  };
}

/** An adoption of the group as it will be without the handler's tag and hooks. */
function planAdoption(
  { group }: NthGroup,
  hooks: readonly LifecycleHook[],
  observation: NthObservation & { readonly ownership: Ownership },
) {
  const { ownership, adoption } = observation;
  const names = hooks.map(({ lifecycleHookName }) => lifecycleHookName);
  const tags = new Map(group.tags);
  if (ownership.kind === 'tag') tags.delete(ownership.key);
  const without = {
    ...group,
    tags,
    hooks: group.hooks.filter(({ lifecycleHookName }) => !names.includes(lifecycleHookName)),
  };
  return planGroup(without, adoption, adoptWishes(group, hooks, observation));
}

const adoptStep = (step: AdoptStep): Step => ({
  kind: 'adopt',
  step,
  subject: step.subject,
  does: `${step.is} -> ${step.shall}`,
  risk: step.risk,
});

const recordStep = (record: MigrationRecord): Step => ({
  kind: 'record',
  record,
  subject: `tags ${[...recordTags(record).keys()].join(', ')}`,
  does: 'are set: a record of the tags and hooks that the group has now, for --back',
});

const awaitWords = {
  does: 'awaited: what began before Drover’s hook ends as before',
  risk: 'until the last tag is taken, both drain an instance that begins to leave, and AWS Node Termination Handler completes Drover’s hook when its own drain is done',
} as const;

const hookSteps = (
  group: ObservedGroup,
  hooks: readonly LifecycleHook[],
  { leavingHookName, joiningHookName }: NthObservation['adoption'],
): readonly Step[] =>
  hooks
    .filter(({ lifecycleHookName }) =>
      group.hooks.some((hook) => hook.lifecycleHookName === lifecycleHookName),
    )
    .map(({ lifecycleHookName, transition }) => ({
      kind: 'delete-hook',
      lifecycleHookName,
      // A hook of someone else drains nothing.
      heirs: [transition === 'launching' ? joiningHookName : leavingHookName],
      subject: `hook ${lifecycleHookName}`,
      does: `on ${transition} instances is deleted, unless an instance waits by then`,
      ...(transition === 'launching' && {
        risk: 'Auto Scaling replaces an instance that begins to wait on it in that moment',
      }),
    }));

function tagSteps({ group, tagged }: NthGroup, ownership: Ownership): readonly Step[] {
  if (ownership.kind !== 'tag') return [];
  const { key } = ownership;
  const states = new Map(group.instances.map((one) => [one.instanceId, one.lifecycleState]));
  const values = new Map([...tagged].filter(([id]) => !isLeaving(states.get(id) ?? '')));
  return [
    ...(group.tags.has(key)
      ? ([
          {
            kind: 'delete-tags',
            keys: [key],
            subject: `tag ${key} of the group`,
            does: 'is deleted, so that new instances do not get it',
          },
        ] as const)
      : []),
    ...(values.size > 0
      ? ([
          {
            kind: 'take-tag',
            key,
            values,
            subject: `tag ${key} of ${counted(values.size, 'instance')}`,
            does: 'is taken and kept in their tag drover.dev/nth-tag: AWS Node Termination Handler leaves them alone from then on. What it drains already it drains to the end',
          },
        ] as const)
      : []),
  ];
}

interface Handing {
  readonly unclear: readonly LifecycleHook[];
  readonly hooks: readonly LifecycleHook[];
  readonly record: MigrationRecord | undefined;
}

function whyNotHandedOver(
  { group, tagged, taggingTemplates }: NthGroup,
  { ownership, rules }: Pick<NthObservation, 'rules'> & { readonly ownership: Ownership },
  { unclear, hooks, record }: Handing,
): Refusal | undefined {
  const subject = group.autoScalingGroupName;
  if (unclear.length > 0) return unclearHooks(subject, unclear, rules);
  if (ownership.kind === 'tag' && taggingTemplates.length > 0)
    return {
      subject,
      reason: `its launch template ${taggingTemplates.join(', ')} gives new instances the tag ${ownership.key}: AWS Node Termination Handler would drain them too`,
      remedy:
        'use a version without that tag of instances, and tag the group instead until it is handed over',
    };
  const isNths = ownership.kind !== 'tag' || group.tags.has(ownership.key) || tagged.size > 0;
  if (isNths || record !== undefined || hooks.length > 0) return undefined;
  return {
    subject,
    reason:
      'AWS Node Termination Handler does not drain it: neither the group nor an instance has its tag, and it has no hook',
    remedy: `drover adopt ${subject}`,
  };
}

const tooManyTags = (subject: string, count: number): Refusal => ({
  subject,
  reason: `it would have up to ${count} tags, and Auto Scaling takes ${mostTags}`,
  remedy: 'remove tags that are not needed',
});

function noticesOf({ group }: NthGroup, hooks: readonly LifecycleHook[]): readonly string[] {
  return terminatingOf(hooks).length > 0
    ? []
    : [
        `${group.autoScalingGroupName}: no hook on it is known as one of AWS Node Termination Handler. Drover’s hook holds each instance that leaves until its node is drained`,
      ];
}
