import type { Command } from 'commander';
import { withAccessFlags, withNodeAccessFlags } from '../access/flags.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import { nodeCount } from '../node-count.ts';
import { withPodFlags } from '../pod-request/flags.ts';
import type { RegisterCommand } from '../register.ts';
import { waitTimeout } from '../wait-timeout.ts';
import type { ChangeFlags } from './change.ts';
import type { CreateFlags } from './create.ts';
import type { ListFlags } from './list.ts';
import { holdDuration, pointInTime } from './until.ts';

const about = `
A hold is the parameter /drover/CLUSTER/holds/GROUP/NAME. Drover raises MinSize within a minute and restores it when the last hold of the
group has ended. It does not lower the desired capacity. Works with this machine's AWS credentials,
or with --api or --endpoint through the scale API.`;

const createHelp = `${about}

Examples:
  drover hold create workers 6 --for 2h --cluster prod
  drover hold create workers 6 --until 2026-11-27T18:00:00+01:00 --name sale --wait     until six nodes are Ready
  drover hold create workers 30 --for 1h --raise-max-size --dry-run
  drover hold create workers 6 --for 2h --name release --api        through the scale API at $DROVER_API_URL
  drover hold create workers --for-pods -f web.yaml --pods 60 --for 2h --wait     room for 60 pods of a Deployment
  drover hold create workers --for-pods --pods 40 --cpu 500m --memory 1Gi --headroom --for 8h
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint, timedOut: 'the timeout has passed and the nodes are not Ready yet; the hold remains' })}`;

const listHelp = `
A hold is met when its nodes are Ready, which takes a kubeconfig to read.

Examples:
  drover hold list --cluster prod
  drover hold list workers -o name | xargs -L 1 drover hold end     end all of them
  drover hold list workers --json | jq '.[] | select(.state == "waiting")'
${exitCodesHelp()}`;

const extendHelp = `
Examples:
  drover hold extend workers sale --for 1h --cluster prod       until an hour from now
${exitCodesHelp(failedOrRefused)}`;

const endHelp = `
Examples:
  drover hold end workers sale --cluster prod
  drover hold end workers sale --dry-run
${exitCodesHelp(failedOrRefused)}`;

/** `drover hold create|list|extend|end`: docs/capacity.md. */
export const registerHold: RegisterCommand = (program, context) => {
  const hold = program
    .command('hold')
    .description(
      'keep at least a number of nodes in a group until a time; lists the holds without a subcommand',
    );
  hold.addHelpText('after', exitCodesHelp());
  withPodFlags(withEnd(changing(withNodeAccessFlags(hold.command('create')))))
    .description('create a hold')
    .argument('<group>', 'the Auto Scaling group')
    .argument('[nodes]', 'the lowest number of nodes; left out with --for-pods', nodeCount)
    .option('--name <name>', 'the name of the hold; default: your user name')
    .option('--raise-max-size', 'raise MaxSize too if it is too small; it is restored afterwards')
    .option('--wait', 'wait until the nodes are Ready, or the pods have room')
    .addOption(waitTimeout())
    .addHelpText('after', createHelp)
    .action(async (group: string, nodes: number | undefined, flags: CreateFlags) => {
      const { create } = await import('./create.ts');
      await create({ group, nodes }, flags, context);
    });
  withListingFlags(withNodeAccessFlags(hold.command('list')))
    .description('list the holds and their states')
    .argument('[group]', 'the Auto Scaling group; default: every managed group of the cluster')
    .addHelpText('after', listHelp)
    .action(async (group: string | undefined, flags: ListFlags) => {
      const { list } = await import('./list.ts');
      await list(group, flags, context);
    });
  withEnd(changing(withAccessFlags(hold.command('extend'))))
    .description('move the end of a hold to a later time')
    .argument('<group>', 'the Auto Scaling group')
    .argument('<name>', 'the name of the hold')
    .addHelpText('after', extendHelp)
    .action(async (group: string, name: string, flags: ChangeFlags) => {
      const { extend } = await import('./change.ts');
      await extend({ group, name }, flags, context);
    });
  changing(withAccessFlags(hold.command('end')))
    .description('end a hold immediately')
    .argument('<group>', 'the Auto Scaling group')
    .argument('<name>', 'the name of the hold')
    .addHelpText('after', endHelp)
    .action(async (group: string, name: string, flags: ChangeFlags) => {
      const { end } = await import('./change.ts');
      await end({ group, name }, flags, context);
    });
};

const changing = (command: Command): Command =>
  command.option('--dry-run', 'show what would change, and change nothing').option('--json', 'print JSON');

const withEnd = (command: Command): Command =>
  command
    .option('--for <duration>', 'how long from now, such as 90m or 2h', holdDuration)
    .option(
      '--until <time>',
      'the end, with its offset from UTC, such as 2026-11-24T18:00:00+01:00',
      pointInTime,
    );
