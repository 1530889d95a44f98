import { jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import { tableText } from '../../table/table.ts';
import type { GroupPlan, MigrationPlan, Step } from './plan/step.ts';

/** The plan for people: the settings, the steps of each group, what is refused, and what is left to you. Pure. */
export const planText = (plan: MigrationPlan): string =>
  [
    ...handlerText(plan),
    ...accessText(plan),
    ...plan.groups.map(groupText),
    ...remarksOf(plan),
    ...(plan.groups.length === 0 && plan.refusals.length === 0 ? [line('nothing is left to do')] : []),
    ...(plan.afterwards.length > 0 ? [line('once no group is left:')] : []),
    ...plan.afterwards.map((command) => line(`  ${command}`)),
  ].join('');

const line = (text: string): string => `${oneLine(text)}\n`;

const handlerText = ({ handler, settings }: MigrationPlan): readonly string[] =>
  handler === undefined
    ? []
    : [
        line(`AWS Node Termination Handler: ${handler}`),
        '\n',
        tableText(
          ['SETTING', 'VALUE', '', 'DROVER'],
          settings.map(({ setting, value, likeness, drover }) => [setting, value, likeness, drover]),
        ),
      ];

const accessText = ({ access }: MigrationPlan): readonly string[] =>
  access.length === 0
    ? []
    : [
        '\n',
        ...access.flatMap(({ subject, is, shall, risk }, index) => [
          line(`${index + 1}. ${subject}: ${is} -> ${shall}`),
          line(`   risk: ${risk}`),
        ]),
      ];

function groupText({ autoScalingGroupName, steps }: GroupPlan): string {
  const lines = steps.flatMap((step, index) => [
    line(`${index + 1}. ${step.subject} ${step.does}`),
    ...(step.risk === undefined ? [] : [line(`   risk: ${step.risk}`)]),
  ]);
  return ['\n', line(`${autoScalingGroupName}:`), ...lines].join('');
}

const remarksOf = ({ refusals, notices }: Pick<MigrationPlan, 'refusals' | 'notices'>): readonly string[] => [
  '\n',
  ...refusals.flatMap(({ subject, reason, remedy }) => [
    line(`REFUSED ${subject}: ${reason}`),
    ...(remedy === null ? [] : [line(`        remedy: ${remedy}`)]),
  ]),
  ...notices.map((notice) => line(`note: ${notice}`)),
];

/** A step that was taken. */
export const doneLine = (subject: string, step: Pick<Step, 'subject' | 'does'>): string =>
  line(`${subject}: ${step.subject} ${step.does}: done`);

/** The plan for programs, whether it was carried out, and what ended it before. */
export const planJson = (
  plan: MigrationPlan,
  { done, error = null }: { readonly done: boolean; readonly error?: string | null },
): string =>
  jsonText({
    done,
    error,
    handler: plan.handler ?? null,
    settings: plan.settings,
    access: plan.access.map(({ subject, is, shall, risk }) => ({ subject, is, shall, risk })),
    groups: plan.groups.map(({ autoScalingGroupName, steps }) => ({
      autoScalingGroupName,
      steps: steps.map(({ kind, subject, does, risk }) => ({ kind, subject, does, risk: risk ?? null })),
    })),
    refusals: plan.refusals,
    notices: plan.notices,
    afterwards: plan.afterwards,
  });
