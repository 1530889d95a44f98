import { withoutAccount } from '../caller/caller.ts';
import { counted } from '../counted.ts';
import { oneLine } from '../plain-text.ts';
import { type Declared, keyOf } from './declared.ts';
import type { Difference, Owner, Step, Undeclared } from './plan.ts';

/** The record that a step is about, such as `hold sale of workers`. */
export const subjectOf = (step: Step): string => keyOf('declared' in step ? step.declared : step.record);

const done = {
  create: 'created',
  replace: 'replaced',
  adopt: 'adopted',
} as const;
const wanted = {
  create: 'would create',
  replace: 'would replace',
  adopt: 'would adopt',
} as const;

/** What was done about a record, or would be in a dry run; undefined for one that is unchanged. */
export function stepText(step: Step, { dryRun }: { readonly dryRun: boolean }): string | undefined {
  const subject = subjectOf(step);
  switch (step.action) {
    case 'unchanged':
      return undefined;
    case 'over':
      return `${subject}: its end has passed, so nothing is made of it; delete it from ${step.declared.at}`;
    case 'refuse':
      return `${step.declared.at}: ${subject}: ${step.why}`;
    case 'keep':
      return `${subject}: set ${step.record.set} does not declare it any more; --prune ${pruned(step.record)} it`;
    case 'left':
      return `${subject}: it does not belong to set ${step.record.set} any more since the plan was made, so it is left`;
    case 'prune':
      return `${dryRun ? `would ${prunes(step.record)}` : endedWord(step.record)} ${subject}: set ${step.record.set} does not declare it any more`;
    default: {
      const details = [...differenceTexts(step.differences), ...ownerTexts(step.from, step.declared.set)];
      const verb = (dryRun ? wanted : done)[step.action];
      return `${verb} ${subject}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
    }
  }
}

const prunes = ({ kind }: Undeclared): string => (kind === 'hold' ? 'end' : 'delete');
const pruned = ({ kind }: Undeclared): string => (kind === 'hold' ? 'ends' : 'deletes');
const endedWord = ({ kind }: Undeclared): string => (kind === 'hold' ? 'ended' : 'deleted');

/** A step as lines of `drover diff`: `+` is made, `~` is changed, `-` goes. Empty for a record that is as declared. */
export function diffLines(step: Step): readonly string[] {
  const subject = subjectOf(step);
  switch (step.action) {
    case 'unchanged':
      return [];
    case 'create':
      return [`+ ${subject}: ${askedText(step.declared)} (${step.declared.at})`];
    case 'replace':
    case 'adopt':
      return [
        `~ ${subject} (${step.declared.at})`,
        ...[...differenceTexts(step.differences), ...ownerTexts(step.from, step.declared.set)].map(
          (text) => `    ${text}`,
        ),
      ];
    case 'prune':
      return [`- ${subject}: set ${step.record.set} does not declare it any more`];
    default:
      return [`! ${stepText(step, { dryRun: true }) ?? subject}`];
  }
}

function askedText(declared: Declared): string {
  const asked = declared.pods
    ? `room for ${counted(declared.pods.total, 'pod')}`
    : `at least ${counted(declared.nodes, 'node')}`;
  if (declared.kind === 'hold') return `${asked} until ${new Date(declared.until).toISOString()}`;
  return `${asked} in ${declared.autoScalingGroupName}, ${declared.expression} in ${declared.timeZone}`;
}

const differenceTexts = (differences: readonly Difference[]): readonly string[] =>
  differences.map(({ field, before, after }) =>
    field === 'pods' && before !== undefined && after !== undefined
      ? 'pods: another request'
      : `${field} ${valueText(before)} -> ${valueText(after)}`,
  );

function valueText(value: unknown): string {
  if (value === undefined) return '-';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'object' ? 'a request for pods' : JSON.stringify(value);
}

function ownerTexts(from: Owner | undefined, set: string): readonly string[] {
  if (from === undefined) return [];
  if ('set' in from) return [`set ${set} takes it over from set ${from.set}`];
  return [
    `set ${set} adopts what was made by hand${from.by === undefined ? '' : ` by ${withoutAccount(from.by)}`}`,
  ];
}

/** The numbers of steps, such as `1 created, 3 unchanged`. */
export function summaryOf(steps: readonly Step[], { dryRun }: { readonly dryRun: boolean }): string {
  const words = [
    ['create', dryRun ? 'to create' : 'created'],
    ['replace', dryRun ? 'to replace' : 'replaced'],
    ['adopt', dryRun ? 'to adopt' : 'adopted'],
    ['prune', dryRun ? 'to prune' : 'pruned'],
    ['left', 'left'],
    ['unchanged', 'unchanged'],
  ] as const;
  const parts = words.flatMap(([action, word]) => {
    const count = steps.filter((step) => step.action === action).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return parts.length > 0 ? parts.join(', ') : 'nothing to do';
}

/** A step as JSON. */
export function stepJson(step: Step): object {
  if ('record' in step) {
    const { autoScalingGroupName, ...record } = step.record;
    return { action: step.action, ...record, ...(record.kind === 'hold' && { autoScalingGroupName }) };
  }
  const { kind, name, autoScalingGroupName, set, at } = step.declared;
  return {
    action: step.action,
    kind,
    name,
    autoScalingGroupName,
    set,
    at,
    ...(step.action === 'refuse'
      ? { why: step.why }
      : { differences: step.differences, ...(step.from && { from: step.from }) }),
  };
}

export const mistakesText = (mistakes: readonly string[]): string =>
  mistakes.map((mistake) => `\n  ${oneLine(mistake)}`).join('');
