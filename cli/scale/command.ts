import { InvalidArgumentError } from 'commander';
import { withClusterFlags } from '../cluster-flags.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { withRoomFlag } from '../room/flags.ts';
import { withScaleApiFlags } from '../scale-api/flags.ts';
import { waitTimeout } from '../wait-timeout.ts';
import type { ScaleFlags } from './scale.ts';

const help = `
Examples:
  drover scale workers 5
  drover scale workers 5 --wait                    until five nodes are Ready
  drover scale workers 2 --wait --timeout 1h       until the surplus nodes are drained and terminated
  drover scale workers 2 --dry-run                 also where the pods would go, with a kubeconfig
  drover scale workers 30 --raise-max-size         up to the parameter maxSizeLimit of the deployment
  drover scale workers 5 --wait --json | jq -r .reason
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint, timedOut: 'the timeout has passed before the group has the capacity; the change remains in effect' })}`;

/** `drover scale GROUP N`: the desired capacity of a managed group, through the scale API. */
export const registerScale: RegisterCommand = (program, context) => {
  withClusterFlags(withRoomFlag(withScaleApiFlags(program.command('scale')), '--dry-run'))
    .description('set the desired number of instances of a managed group')
    .argument('<group>', 'the name of the group')
    .argument('<number>', 'how many instances, from its MinSize to its MaxSize', capacityArgument)
    .option('--wait', 'wait until the nodes are Ready, or drained and terminated')
    .addOption(waitTimeout())
    .option('--raise-max-size', 'raise MaxSize too if it is too small, permanently')
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--json', 'print JSON: one object, or one per line with --wait')
    .addHelpText('after', help)
    .action(async (name: string, number: number, flags: ScaleFlags) => {
      const { scale } = await import('./scale.ts');
      await scale({ name, number }, flags, context);
    });
};

/** @throws InvalidArgumentError, which commander turns into a usage error. */
function capacityArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('write a whole number, such as 5');
  return Number(text);
}
