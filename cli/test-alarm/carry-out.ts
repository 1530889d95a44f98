import { type CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { messageOf } from '../../shared/base/message-of.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import { oneLine } from '../plain-text.ts';
import { readTestableAlarms, type TestableAlarm } from './alarms.ts';
import { type ActionOutcome, outcomesOf, type PerformedAction, readActions } from './history.ts';
import { refusalOf } from './judge.ts';

/**
 * How the alarm came back:
 * - `set-back`: by this command;
 * - `by-cloudwatch`: CloudWatch has evaluated it meanwhile;
 * - `raised`: CloudWatch has raised it meanwhile, so it stays.
 */
type Return = 'set-back' | 'by-cloudwatch' | 'raised';

export interface TestResult {
  readonly alarm: TestableAlarm;
  readonly reason: string;
  readonly outcomes: readonly ActionOutcome[];
  readonly returned: Return;
}

const pollMilliseconds = 2000;
const longestMilliseconds = 30_000;
/** CloudWatch takes 1,023 characters. */
const longestCaller = 300;

/** Sets the alarm to ALARM, waits for what becomes of its actions, and sets it back, also after Ctrl-C. */
export async function carryOutTest(
  { name }: Pick<TestableAlarm, 'name'>,
  { client, caller }: { readonly client: CloudWatchClient; readonly caller: string },
  context: InterruptibleContext,
): Promise<TestResult> {
  const before = await actionsOf(client, name);
  // Someone may have taken a while to confirm.
  const alarm = await alarmNow(client, name);
  const refusal = refusalOf(alarm);
  if (refusal !== undefined) throw new CliError(refusal, exitCodes.failed);
  endIfInterrupted(context, `${name} was not changed`);
  // The time distinguishes this test from another one, of the same person too.
  const mark = `drover test-alarm at ${new Date(context.clock.now()).toISOString()}`;
  const reason = `A test by ${oneLine(caller).slice(0, longestCaller)} with ${mark}: nothing is wrong`;
  await setState(client, { name, state: 'ALARM', reason });
  const outcomes = await waitForOutcomes(client, alarm, before, context);
  try {
    return { alarm, reason, outcomes, returned: await setBack(client, alarm, mark) };
  } catch (error) {
    throw new CliError(
      `${name} was set to ALARM and could not be set back: CloudWatch does that at its next evaluation`,
      exitCodes.failed,
      error,
    );
  }
}

/** The entries that are there already, or why they could not be read: the test goes on without. */
const actionsOf = async (
  client: CloudWatchClient,
  name: string,
): Promise<readonly PerformedAction[] | string> => {
  try {
    return await readActions(client, name);
  } catch (error) {
    return messageOf(error);
  }
};

async function waitForOutcomes(
  client: CloudWatchClient,
  { name, actions }: TestableAlarm,
  before: readonly PerformedAction[] | string,
  { clock, pause, interrupted }: InterruptibleContext,
): Promise<readonly ActionOutcome[]> {
  const unknown = (reason: string): readonly ActionOutcome[] =>
    actions.map((action) => ({ action, outcome: 'unknown', reason }));
  if (typeof before === 'string') return unknown(before);
  const end = clock.now() + longestMilliseconds;
  for (;;) {
    const now = await actionsOf(client, name);
    if (typeof now === 'string') return unknown(now);
    const outcomes = outcomesOf(actions, before, now);
    const isWhole = outcomes.every(({ outcome }) => outcome !== 'unknown');
    if (isWhole || interrupted.aborted || clock.now() >= end) return outcomes;
    await pause(pollMilliseconds);
  }
}

/** An alarm that CloudWatch has evaluated meanwhile is left as it is. */
async function setBack(
  client: CloudWatchClient,
  { name, state }: TestableAlarm,
  mark: string,
): Promise<Return> {
  const now = await alarmNow(client, name);
  if (now.state !== 'ALARM') return 'by-cloudwatch';
  if (!now.reason.includes(mark)) return 'raised';
  await setState(client, { name, state, reason: `The end of the test with ${mark}` });
  return 'set-back';
}

const setState = async (
  client: CloudWatchClient,
  { name, state, reason }: Pick<TestableAlarm, 'name' | 'state' | 'reason'>,
): Promise<void> => {
  await client.send(new SetAlarmStateCommand({ AlarmName: name, StateValue: state, StateReason: reason }));
};

async function alarmNow(client: CloudWatchClient, name: string): Promise<TestableAlarm> {
  const alarm = (await readTestableAlarms(client, name)).find((one) => one.name === name);
  if (alarm === undefined) throw new CliError(`${name} is gone`, exitCodes.failed);
  return alarm;
}
