import { counted } from '../counted.ts';
import { oneLine } from '../plain-text.ts';
import type { Format } from './as/formats.ts';
import type { Advice } from './plan/adviser.ts';
import type { Action, Plan, Step } from './plan/step.ts';

interface Printed {
  readonly plan: Plan;
  readonly advice: readonly Advice[];
  readonly clusterName: string;
}

/** The plan in the form of a tool. Comments explain each step and give the advice; the rest does it. Pure. */
export const planText = ({ plan, advice, clusterName }: Printed, format: Format): string =>
  [
    heading(plan, clusterName),
    ...remarks(plan),
    ...advice.map(
      ({ group, message, command }) =>
        `# ADVICE  ${oneLine(`${group}: ${message}`)}\n#         see or run: ${oneLine(command)}\n`,
    ),
    ...[format.start(plan)].filter(Boolean),
    ...plan.steps.map((step, index) => stepText(step, index, (action) => format.action(action, plan))),
  ].join('\n');

const heading = ({ steps }: Plan, clusterName: string): string =>
  steps.length === 0
    ? `# Cluster ${clusterName}: nothing to change.\n`
    : `# Cluster ${clusterName}: ${counted(steps.length, 'step')}, in this order.\n`;

/** What remains to be said once the steps are done. Pure. */
export const remarksText = (isNothing: boolean, plan: Plan): string =>
  [...(isNothing ? ['nothing to change\n'] : []), ...remarks(plan)].join('');

const remarks = ({ refusals, notices }: Plan): readonly string[] => [
  ...refusals.map(
    ({ subject, reason, remedy }) =>
      `# REFUSED ${oneLine(subject)}: ${oneLine(reason)}${remedy === null ? '' : `\n#         remedy: ${oneLine(remedy)}`}\n`,
  ),
  ...notices.map((notice) => `# NOTE    ${oneLine(notice)}\n`),
];

const stepText = (step: Step, index: number, written: (action: Action) => string): string =>
  [...explanation(step, index).map((line) => `# ${line}`), ...step.actions.map(written), ''].join('\n');

/** What a step is about, line by line. */
const explanation = ({ subject, is, shall, risk, reversal }: Step, index: number): readonly string[] => [
  `${index + 1}. ${oneLine(subject)}`,
  `   is:   ${oneLine(is)}`,
  `   then: ${oneLine(shall)}`,
  `   risk: ${oneLine(risk)}`,
  `   undo: ${oneLine(reversal)}`,
];
