import { jsonText } from '../json-text.ts';
import type { LeavePlan } from '../leave/plan.ts';
import { planText } from '../leave/text.ts';
import { oneLine } from '../plain-text.ts';
import type { KindSurvey } from './survey.ts';

export interface UninstallPlan {
  readonly clusterName: string;
  readonly groups: readonly LeavePlan[];
  /** The stage whose stack is still there. */
  readonly stack: string | undefined;
  readonly surveys: readonly KindSurvey[];
}

/** The plan: groups first, then the stack, then what neither has. */
export const uninstallPlanText = ({ groups, stack, surveys }: UninstallPlan): string =>
  [
    ...groups.map(planText),
    ...(stack === undefined ? [] : [`${oneLine(stackWords(stack))}\n`]),
    ...surveys.flatMap(planLines).map((line) => `${oneLine(line)}\n`),
  ].join('');

export const stackWords = (stage: string): string =>
  `stack drover-${stage} is there: once the groups have left, delete it with the tool that made it (aws cloudformation delete-stack --stack-name drover-${stage}, terraform destroy, or npm run remove), then run drover uninstall again`;

function planLines(survey: KindSurvey): readonly string[] {
  const { kind } = survey;
  if (survey.status === 'left-out') return [`${kind.name}: left out, because of --without-cluster`];
  if (survey.status === 'unread') return [`${kind.name}: cannot be read: ${survey.reason}`];
  return [
    ...survey.found.map((name) => `${kind.name}: ${name} ${kind.verb ?? 'is deleted'}`),
    ...(survey.found.length > 0 && kind.risk !== undefined ? [`risk: ${kind.risk}`] : []),
    ...survey.kept.map(({ name, why }) => `${kind.name}: ${name} is kept: ${why}`),
  ];
}

/** What was read, by kind, with how much is left of it. */
export const proofText = ({ groups, stack, surveys }: UninstallPlan): string =>
  [
    `hooks, tags, holds and bounds of groups: ${groups.length} groups left`,
    `stack: ${stack === undefined ? '0 left' : `drover-${stack}`}`,
    ...surveys.map(proofLine),
  ]
    .map((line) => `${oneLine(line)}\n`)
    .join('');

function proofLine(survey: KindSurvey): string {
  const { name } = survey.kind;
  if (survey.status === 'left-out') return `${name}: left out`;
  if (survey.status === 'unread') return `${name}: not read: ${survey.reason}`;
  const kept = survey.kept.length > 0 ? `, ${survey.kept.length} kept on purpose` : '';
  return `${name}: ${survey.found.length} left${kept}`;
}

/** The same for programs. */
export const uninstallJson = (
  { clusterName, groups, stack, surveys }: UninstallPlan,
  { done, complete }: { readonly done: boolean; readonly complete: boolean },
): string =>
  jsonText({
    clusterName,
    done,
    complete,
    groups: groups.map(({ autoScalingGroupName, steps, notes }) => ({
      autoScalingGroupName,
      steps: steps.map(({ kind, subject, does, risk }) => ({ kind, subject, does, risk: risk ?? null })),
      notes,
    })),
    stack: stack ?? null,
    kinds: surveys.map((survey) => ({
      name: survey.kind.name,
      status: survey.status,
      left: survey.status === 'read' ? survey.found : null,
      kept: survey.status === 'read' ? survey.kept : [],
      reason: survey.status === 'unread' ? survey.reason : null,
    })),
  });
