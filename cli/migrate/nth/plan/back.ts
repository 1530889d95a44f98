import { isDeepStrictEqual } from 'node:util';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { ObservedGroup } from '../../../adopt/plan/observation.ts';
import { tagValues } from '../../../adopt/plan/role.ts';
import type { Refusal } from '../../../adopt/plan/step.ts';
import { counted } from '../../../counted.ts';
import type { NthGroup } from '../observation.ts';
import { type MigrationRecord, readRecord, recordKeys } from '../record.ts';
import { isLeaving } from './leaving.ts';
import { unreadableRecord } from './refusals.ts';
import { awaitStep, type GroupPlan, type MigrationPlan, type Step } from './step.ts';

/** The way back of groups, and the names that were asked for and that AWS does not know. Pure. */
export function planBack(groups: readonly NthGroup[], unknown: readonly Refusal[]): MigrationPlan {
  const planned = groups.map(backOfGroup);
  return {
    handler: undefined,
    settings: [],
    access: [],
    groups: planned.flatMap((one) => ('steps' in one && one.steps.length > 0 ? [one] : [])),
    refusals: [...unknown, ...planned.flatMap((one) => ('steps' in one ? [] : [one]))],
    notices: [
      ...planned.flatMap((one) =>
        'steps' in one && one.steps.length === 0
          ? [
              `${one.autoScalingGroupName}: it has no record of a migration; drover leave takes a group out of Drover’s care`,
            ]
          : [],
      ),
      'rights and log-ins of Drover in the cluster stay: drover uninstall removes them',
    ],
    afterwards: [],
  };
}

/**
 * The steps in the reverse order: the handler's tag before its hooks, because it completes no hook of an instance without the tag, and Drover's
 * hook once nothing waits on it. The record goes last, together with Drover's tags. Pure.
 */
function backOfGroup(nth: NthGroup): GroupPlan | Refusal {
  const { group } = nth;
  const subject = group.autoScalingGroupName;
  const reading = readRecord(tagValues(group));
  if (reading.kind === 'unreadable') return unreadableRecord(subject);
  if (reading.kind === 'none') return { autoScalingGroupName: subject, steps: [] };
  const { record } = reading;
  const ours = group.hooks.filter(({ lifecycleHookName }) => record.newHooks.includes(lifecycleHookName));
  return {
    autoScalingGroupName: subject,
    steps: [
      ...tagSteps(nth, record),
      ...hookSteps(group, record),
      ...(ours.length > 0 ? [awaitStep(group, ours, backWords)] : []),
      ...ours.map((hook) => deleteStep(hook, record)),
      ...ownTagSteps(group, record),
    ],
  };
}

const backWords = {
  does: 'awaited: Drover drains what began to leave, and completes its hook',
  risk: 'until Drover’s hook is deleted, both drain an instance that begins to leave',
} as const;

const hookSteps = ({ hooks }: ObservedGroup, record: MigrationRecord): readonly Step[] =>
  record.hooks
    .filter((hook) => !hooks.some((one) => isDeepStrictEqual(one, hook)))
    .map((hook) => ({
      kind: 'put-hook',
      hook,
      subject: `hook ${hook.lifecycleHookName}`,
      does: `on ${hook.transition} instances comes back: heartbeat timeout ${hook.heartbeatTimeoutSeconds} s, default result ${hook.defaultResult}`,
    }));

/** Instances that were launched meanwhile get the tag if the group gave it to new ones. */
function tagSteps(
  { group, tagged, taken }: NthGroup,
  { managedTag: key, tags }: MigrationRecord,
): readonly Step[] {
  if (key === undefined) return [];
  const before = tags[key] ?? null;
  const values = new Map(
    group.instances.flatMap(({ instanceId, lifecycleState }): [string, string][] => {
      const value =
        taken.get(instanceId) ?? (before?.propagates && !tagged.has(instanceId) ? before.value : undefined);
      return value === undefined || isLeaving(lifecycleState) ? [] : [[instanceId, value]];
    }),
  );
  return [
    ...(before === null || isDeepStrictEqual(group.tags.get(key), before)
      ? []
      : ([
          {
            kind: 'set-tag',
            tags: { [key]: before },
            subject: `tag ${key} of the group`,
            does: 'comes back',
          },
        ] as const)),
    ...(values.size > 0
      ? ([
          {
            kind: 'give-tag',
            key,
            values,
            subject: `tag ${key} of ${counted(values.size, 'instance')}`,
            does: 'comes back: AWS Node Termination Handler drains them again',
          },
        ] as const)
      : []),
  ];
}

const deleteStep = ({ lifecycleHookName, transition }: LifecycleHook, { hooks }: MigrationRecord): Step => ({
  kind: 'delete-hook',
  lifecycleHookName,
  heirs: hooks.filter((hook) => hook.transition === transition).map((hook) => hook.lifecycleHookName),
  subject: `hook ${lifecycleHookName}`,
  does: `on ${transition} instances is deleted, unless an instance waits by then`,
});

/** Drover's tags and the record go in one call: a group without its record could not be given back. */
function ownTagSteps(group: ObservedGroup, { managedTag, tags }: MigrationRecord): readonly Step[] {
  const own = Object.entries(tags).filter(([key]) => key !== managedTag);
  const changed = own.flatMap(([key, before]) =>
    before === null || isDeepStrictEqual(group.tags.get(key), before) ? [] : [[key, before] as const],
  );
  const added = own.filter(([key, before]) => before === null && group.tags.has(key)).map(([key]) => key);
  const keys = [...added, ...recordKeys(tagValues(group))];
  return [
    ...(changed.length > 0
      ? ([
          {
            kind: 'set-tag',
            tags: Object.fromEntries(changed),
            subject: `tags ${changed.map(([key]) => key).join(', ')}`,
            does: 'get the values that they had',
          },
        ] as const)
      : []),
    { kind: 'delete-tags', keys, subject: `tags ${keys.join(', ')}`, does: 'are deleted' },
  ];
}
