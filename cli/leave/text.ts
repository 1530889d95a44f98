import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { LeavePlan, Step } from './plan.ts';

/** The steps in their order, each with what it risks, and the notes. */
export function planText({ autoScalingGroupName, steps, notes }: LeavePlan): string {
  if (steps.length === 0) return `${oneLine(`nothing of Drover is left on ${autoScalingGroupName}`)}\n`;
  const lines = steps.flatMap((step, index) => [
    `${index + 1}. ${stepWords(step)}`,
    ...(step.risk === undefined ? [] : [`   risk: ${step.risk}`]),
  ]);
  const all = [...lines, ...notes.map((note) => `note: ${note}`)];
  return [`${autoScalingGroupName}:`, ...all].map((line) => `${oneLine(line)}\n`).join('');
}

const stepWords = ({ subject, does }: Step): string => `${subject} ${does}`;

/** A step that was taken. */
export const doneLine = (autoScalingGroupName: string, step: Step): string =>
  `${oneLine(`${autoScalingGroupName}: ${stepWords(step)}: done`)}\n`;

/** The plans for programs, and whether they were carried out. */
export const leaveJson = (plans: readonly LeavePlan[], { done }: { readonly done: boolean }): string =>
  jsonText({
    done,
    groups: plans.map(({ autoScalingGroupName, steps, notes }) => ({
      autoScalingGroupName,
      steps: steps.map(({ kind, subject, does, risk }) => ({ kind, subject, does, risk: risk ?? null })),
      notes,
    })),
  });
