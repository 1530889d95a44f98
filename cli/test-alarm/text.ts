import { shellWord } from '../../shared/base/shell-words.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { TestableAlarm } from './alarms.ts';
import type { TestResult } from './carry-out.ts';
import type { ActionOutcome } from './history.ts';
import { kindOfAction } from './judge.ts';

/** The alarms of a deployment, each with its state and whom it notifies. */
export const listText = (prefix: string, alarms: readonly TestableAlarm[], view: TableView): string =>
  tableText(
    ['ALARM', 'STATE', named('NOTIFIES'), sentence('MEANING', { leftOut: 1 })],
    alarms.map((alarm) => [
      alarm.name.slice(prefix.length),
      alarm.state,
      notifiesOf(alarm),
      alarm.description || '-',
    ]),
    view,
  );

const notifiesOf = ({ actsAtAll, actions }: TestableAlarm): string => {
  if (actions.length === 0) return 'no one';
  return actsAtAll
    ? actions.map((arn) => arn.split(':').slice(5).join(':')).join(', ')
    : 'no one: turned off';
};

/** What a test of the alarm does. */
export function planText({ name, description, state, actions }: TestableAlarm): string {
  const lines = [
    `${name} is ${state}${description === '' ? '' : `: ${description}`}`,
    `it is set to ALARM for a moment, with a reason that says it is a test, and then back to ${state}. CloudWatch notifies:`,
    ...actions.map((action) => `  ${action} (${wordOf(action)})`),
    ...receiversOf(actions),
  ];
  return lines.map((line) => `${line.startsWith('  ') ? '  ' : ''}${oneLine(line.trim())}\n`).join('');
}

const wordOf = (action: string): string =>
  kindOfAction(action) === 'topic'
    ? 'every confirmed subscription of this topic'
    : 'not a topic: this starts';

/** SNS has the subscriptions, which this program does not ask. */
const receiversOf = (actions: readonly string[]): readonly string[] =>
  actions
    .filter((action) => kindOfAction(action) === 'topic')
    .flatMap((topic) => [
      'who that is; PendingConfirmation has not opened its link, and gets nothing:',
      `  aws sns list-subscriptions-by-topic --region ${shellWord(topic.split(':')[3] ?? '')} --topic-arn ${shellWord(topic)} --query 'Subscriptions[].[Protocol,Endpoint,SubscriptionArn]' --output text`,
    ]);

/** What was done, and where to look. */
export function resultText({ alarm, outcomes, returned }: TestResult): string {
  const words = {
    'set-back': `set back to ${alarm.state}`,
    'by-cloudwatch': 'CloudWatch has evaluated it meanwhile, and ended the test',
    raised: 'CloudWatch has raised it meanwhile, so it stays in ALARM: this one is real',
  }[returned];
  return [
    ...outcomes.map(outcomeWords),
    `${alarm.name}: ${words}`,
    'A message with ALARM should arrive within minutes at each of them; not every alarm notifies of its way back.',
  ]
    .map((line) => `${oneLine(line)}\n`)
    .join('');
}

const outcomeWords = ({ action, outcome, reason }: ActionOutcome): string =>
  ({
    published: `${action}: CloudWatch has notified it`,
    failed: `${action}: CloudWatch could not notify it: ${reason}`,
    unknown: `${action}: whether CloudWatch has notified it is not known: ${reason ?? 'its history does not say within 30 s'}`,
  })[outcome];

const alarmJson = ({ name, description, state, actsAtAll, actions }: TestableAlarm) => ({
  name,
  description,
  state,
  actionsEnabled: actsAtAll,
  actions,
});

/** The list for programs. */
export const listJson = (alarms: readonly TestableAlarm[]): string =>
  jsonText({ alarms: alarms.map(alarmJson) });

/** The plan for programs, or with a result what was done. */
export const testJson = (alarm: TestableAlarm, result?: TestResult): string =>
  jsonText({
    done: result !== undefined,
    alarm: alarmJson(alarm),
    ...(result && { reason: result.reason, outcomes: result.outcomes, returned: result.returned }),
  });
