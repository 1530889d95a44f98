import { shellWord } from '../../../../shared/base/shell-words.ts';
import { planMapping } from '../../../adopt/plan/mapping.ts';
import { planRights } from '../../../adopt/plan/rights.ts';
import { join, type Refusal } from '../../../adopt/plan/step.ts';
import type { MigrationWishes, NthObservation } from '../observation.ts';
import { type Ownership, ownershipOf } from '../settings/critical.ts';
import { textIn } from '../settings/settings.ts';
import { compareSettings } from './compare.ts';
import { planNthGroup } from './group.ts';
import { unknownGroup, unknownHooks } from './refusals.ts';
import type { MigrationPlan } from './step.ts';

/** The migration of groups from AWS Node Termination Handler to Drover: what differs, the steps of each group, and what is refused. Pure. */
export function planMigration(observation: NthObservation, wishes: MigrationWishes): MigrationPlan {
  const { handler, adoption } = observation;
  const found = ownershipOf(handler.settings, handler.name);
  const ownership = 'kind' in found ? found : undefined;
  const base: MigrationPlan = {
    handler: handlerWords(observation, ownership),
    settings: compareSettings(handler.settings, ownership),
    access: [],
    groups: [],
    refusals: [],
    notices: noticesOf(observation),
    afterwards: afterwardsOf(observation),
  };
  const unknown = adoption.unknownGroups.map(unknownGroup);
  const mistyped = unknownHooks(observation.groups, wishes);
  if (mistyped.length > 0) return { ...base, refusals: [...mistyped, ...unknown] };
  if (!('kind' in found)) return { ...base, refusals: [found, ...unknown] };
  const whole = whyNoneOf(observation, found, wishes);
  if (whole) return { ...base, refusals: [whole, ...unknown] };
  const { features } = adoption;
  if (features === undefined) return { ...base, refusals: [noDeployment(adoption.clusterName), ...unknown] };
  const groups = observation.groups.map((group) =>
    planNthGroup(group, { ...observation, ownership: found }, wishes),
  );
  const refusals = [...unknown, ...groups.flatMap((group) => group.refusals)];
  const open = groups.filter(({ steps }) => steps.length > 0);
  const access =
    open.length === 0
      ? join([])
      : planAccess(
          observation,
          features,
          open.map((one) => one.autoScalingGroupName),
        );
  // Drover could not drain the nodes that its hook holds.
  if (access.refusals.length > 0) return { ...base, refusals: [...refusals, ...access.refusals] };
  return {
    ...base,
    access: access.steps,
    groups: open.map(({ autoScalingGroupName, steps }) => ({ autoScalingGroupName, steps })),
    refusals,
    notices: [
      ...new Set([
        ...base.notices,
        ...bothNotice(found),
        ...access.notices,
        ...groups.flatMap((group) => group.notices),
      ]),
    ],
  };
}

function planAccess(
  { adoption, groups }: NthObservation,
  features: NonNullable<NthObservation['adoption']['features']>,
  names: readonly string[],
) {
  const adopted = groups
    .map(({ group }) => group)
    .filter(({ autoScalingGroupName }) => names.includes(autoScalingGroupName));
  return join([
    planRights({ ...adoption, features }),
    planMapping({ ...adoption, features, groups: adopted }),
  ]);
}

const handlerWords = ({ handler }: NthObservation, ownership: Ownership | undefined): string =>
  [
    handler.name,
    ...(ownership === undefined
      ? []
      : [
          {
            tag: 'queue mode, by the tag of instances',
            all: 'queue mode, every instance',
            nodes: 'IMDS mode',
          }[ownership.kind],
        ]),
  ].join(', ');

/** Why no group can be handed over by itself. */
function whyNoneOf(
  { handler, groups }: NthObservation,
  ownership: Ownership,
  { bothDrain }: MigrationWishes,
): Refusal | undefined {
  if (bothDrain) return undefined;
  if (ownership.kind === 'nodes')
    return {
      subject: handler.name,
      reason:
        'in IMDS mode each of its pods drains its own node, whatever the tags of its group are: it cannot leave one group alone',
      remedy:
        'give --both-drain to hand groups over while both drain, and uninstall it once all are handed over; or keep its pods away from the nodes of the group (nodeSelector of the chart)',
    };
  if (ownership.kind === 'all')
    return {
      subject: handler.name,
      reason:
        'checkTagBeforeDraining is false: it drains every instance that its queue names, and cannot leave one group alone',
      remedy: `tag its groups and their instances, set checkTagBeforeDraining to true, and run this again; or give --both-drain to hand groups over while both drain, and uninstall it once all are handed over`,
    };
  if (handler.onNodes.length > 0 && groups.length > 0)
    return {
      subject: handler.onNodes.join(', '),
      reason:
        'it runs in IMDS mode beside the one that reads the queue, and drains the node of each of its pods',
      remedy: 'uninstall it first, or give --both-drain',
    };
  return undefined;
}

const bothNotice = ({ kind }: Ownership): readonly string[] =>
  kind === 'tag'
    ? []
    : [
        'both drain the nodes of these groups until you uninstall AWS Node Termination Handler. That loses no pods: both evict, and both heed budgets. In queue mode it also completes Drover’s hook when its own drain is done',
      ];

const noDeployment = (clusterName: string): Refusal => ({
  subject: clusterName,
  reason:
    'no deployment of Drover serves this account and region: a hook would hold each instance for its whole timeout',
  remedy: 'deploy it first: docs/deployment.md; --stage names one of several',
});

function noticesOf({ handler, others, rules, queueArn }: NthObservation): readonly string[] {
  return [
    ...(handler.isStopped ? [`${handler.name} has no pods: nothing drains the nodes of its groups now`] : []),
    ...(others.length > 0
      ? [`these groups have its tag too, and the plan leaves them alone: ${others.join(', ')}`]
      : []),
    ...(rules === undefined
      ? [
          `${queueArn === undefined ? 'its queue is not known' : 'its rules are not known'}: whether it drains on rebalance recommendations is not known, so drover.dev/drain-on-rebalance is not set`,
        ]
      : []),
    'certificates of nodes stay with their approver: drover adopt hands them over',
  ];
}

/** What is left of the handler, and the commands that remove it. Nothing else may use its queue and rules. */
function afterwardsOf({ handler, rules = [] }: NthObservation): readonly string[] {
  const url = textIn(handler.settings, 'queueURL');
  return [
    handler.uninstall ?? 'uninstall it',
    ...rules.flatMap(({ name, targetIds, hasOtherTargets }) => [
      `aws events remove-targets --rule ${shellWord(name)} --ids ${targetIds.map(shellWord).join(' ')}`,
      ...(hasOtherTargets ? [] : [`aws events delete-rule --name ${shellWord(name)}`]),
    ]),
    ...(url === undefined ? [] : [`aws sqs delete-queue --queue-url ${shellWord(url)}`]),
    'delete the IAM role of its pods, if nothing else has it',
  ];
}
