import { Argument } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { type DeadLetterQueueName, deadLetterQueueNames } from './names.ts';
import type { RedriveFlags } from './redrive.ts';

const help = `
A message that Drover cannot understand is parked in a dead-letter queue, with the reason. Fix the cause first: a message that is still not
understood is parked again. Passes read what is true now, so a message that is late or comes twice does no harm.
A message that came from a queue that is not Drover's stays: anyone who may create a queue in the account could have written it.
Works with this machine's AWS credentials; run it as operatorRole of the deployment: no other role may send to its queues.

Examples:
  drover redrive --dry-run                      what is parked, and why
  drover redrive leaving
  drover redrive --stage prod --dry-run --json | jq -r '.messages[].reason'
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint })}`;

/** `drover redrive [QUEUE]`: parked messages go back to their queues. */
export const registerRedrive: RegisterCommand = (program, context) => {
  withAutoScalingFlags(program.command('redrive'))
    .description('move the messages of dead-letter queues back to their queues')
    .addArgument(new Argument('[queue]', 'one queue; left out: all').choices(deadLetterQueueNames))
    .option('--stage <stage>', 'the stage of the deployment, where the account and region have several')
    .option('--dry-run', 'list the messages with their reasons, and move none')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (queue: DeadLetterQueueName | undefined, flags: RedriveFlags) => {
      const { redrive } = await import('./redrive.ts');
      await redrive(queue, flags, context);
    });
};
