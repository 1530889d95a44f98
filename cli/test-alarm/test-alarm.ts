import { cloudWatchClient } from '../../shared/aws/clients.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { callerOf } from '../caller/caller.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { interruptible } from '../interruption.ts';
import { viewOf } from '../table/column.ts';
import { alarmNamed, alarmsOfDeployment, readTestableAlarms } from './alarms.ts';
import { carryOutTest, type TestResult } from './carry-out.ts';
import { refusalOf } from './judge.ts';
import { listJson, listText, planText, resultText, testJson } from './text.ts';

export interface TestAlarmFlags extends ConfirmFlags {
  readonly region?: string;
  readonly stage?: string;
}

/** Lists the alarms, or tests one after it has said who is notified. */
export async function testAlarm(
  name: string | undefined,
  flags: TestAlarmFlags,
  context: CliContext,
): Promise<void> {
  const { stdout } = context;
  const client = cloudWatchClient(awsConnection(hostOf(context, environmentOf(flags, context))));
  const all = await readTestableAlarms(client);
  if (name === undefined) {
    const { prefix, alarms } = alarmsOfDeployment(all, flags.stage);
    stdout.write(flags.json ? listJson(alarms) : listText(prefix, alarms, viewOf(stdout)));
    return;
  }
  const alarm = alarmNamed(name, all, flags.stage);
  const refusal = refusalOf(alarm);
  if (refusal !== undefined) throw new CliError(refusal, exitCodes.failed);
  if (!flags.json) stdout.write(planText(alarm));
  if (!(await confirmed(`Test ${alarm.name}?`, flags, context))) {
    if (flags.json) stdout.write(testJson(alarm));
    return;
  }
  const caller = await callerOf(flags, context, 'the reason');
  await interruptible(context, async (interruptibly) => {
    const result = await carryOutTest(alarm, { client, caller }, interruptibly);
    stdout.write(flags.json ? testJson(alarm, result) : resultText(result));
    endUnlessPublished(result);
  });
}

/** @throws CliError unless CloudWatch says that it has notified every receiver. */
function endUnlessPublished({ alarm: { name }, outcomes }: TestResult): void {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0)
    throw new CliError(
      `${name} does not reach ${failed.map(({ action }) => action).join(', ')}: its policy or its key must let cloudwatch.amazonaws.com in (docs/deployment.md, "Who gets the alarms")`,
      exitCodes.failed,
    );
  if (outcomes.some(({ outcome }) => outcome === 'unknown'))
    throw new CliError(
      `whether ${name} has notified everyone is not known: wait for the message`,
      exitCodes.couldNotLook,
    );
}
