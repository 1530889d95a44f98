import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { TestAlarmFlags } from './test-alarm.ts';

const help = `
Without a name it lists the alarms of the deployment and changes nothing. With a name it says who is notified, asks, sets the alarm to ALARM with a
reason that says it is a test and by whom, waits up to half a minute for CloudWatch to say what became of each action, and sets the alarm back:
two messages. Nothing of Drover reacts to an alarm. It refuses an alarm that is raised, one that notifies no one, and one that does more than notify.
It proves that CloudWatch has published; whether the message arrives, only the receiver sees.
Works with this machine's AWS credentials.

Examples:
  drover test-alarm                             the alarms, with their states and receivers
  drover test-alarm undelivered --plan          who would be notified
  drover test-alarm undelivered --stage prod --yes
${exitCodesHelp({
  done: 'done, and CloudWatch has published to every receiver',
  failed: 'refused, or CloudWatch could not notify a receiver: the message says why',
  couldNotLook: 'done, and CloudWatch does not say whether it has notified every receiver',
  ...endsAtSafePoint,
})}`;

/** `drover test-alarm [ALARM]`: proves that an alarm reaches someone, before one is needed. */
export const registerTestAlarm: RegisterCommand = (program, context) => {
  program
    .command('test-alarm')
    .description('list the alarms, or set one to ALARM for a moment to see whether it arrives')
    .argument('[alarm]', 'the alarm, with or without the name of the deployment; left out: list them')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION')
    .option('--stage <stage>', 'the stage of the deployment, where the account and region have several')
    .option('--plan', 'say who would be notified, and change nothing')
    .option('--yes', 'do it without a question')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (alarm: string | undefined, flags: TestAlarmFlags) => {
      const { testAlarm } = await import('./test-alarm.ts');
      await testAlarm(alarm, flags, context);
    });
};
