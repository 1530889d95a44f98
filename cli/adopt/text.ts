import { counted } from '../counted.ts';
import { oneLine } from '../plain-text.ts';
import { commandsOf } from './as/commands.ts';
import type { Plan, Step } from './plan/step.ts';

/** The plan as a shell script: its comments explain each step, its commands do it. Pure. */
export const planText = (plan: Plan, clusterName: string): string =>
  [heading(plan, clusterName), ...remarks(plan), ...plan.steps.map(stepText)].join('\n');

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

const stepText = (step: Step, index: number): string =>
  [...explanation(step, index).map((line) => `# ${line}`), ...step.actions.flatMap(commandsOf), ''].join(
    '\n',
  );

/** What a step is about, line by line. */
const explanation = ({ subject, is, shall, risk, reversal }: Step, index: number): readonly string[] => [
  `${index + 1}. ${oneLine(subject)}`,
  `   is:   ${oneLine(is)}`,
  `   then: ${oneLine(shall)}`,
  `   risk: ${oneLine(risk)}`,
  `   undo: ${oneLine(reversal)}`,
];
