import { InvalidArgumentError } from 'commander';
import { withNodeAccessFlags } from '../access/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { UiFlags } from './serve.ts';

const help = `
Reads with this machine's AWS credentials and a kubeconfig, or with --api through the scale API; what it may not read, the page names.
The page listens on 127.0.0.1 only. Its address has a secret part that changes with each run. It reads while it is open in a browser,
every five seconds, and changes nothing. It reads a report of weeks only when you ask for it.

--all lists every deployment of the account and region, which it reads every minute while the list is open, with a page for each cluster.

Examples:
  drover ui --cluster prod
  drover ui --all                               every cluster, with one list of problems
  drover ui --api                               signed with your AWS credentials; no kubeconfig
  drover ui --port 8088 --json | jq -r .url
${exitCodesHelp({ interrupted: 'ended by Ctrl-C or SIGTERM, as it always is', failed: 'the port is taken, or the page cannot be served: the message says why' })}`;

/** `drover ui`: the dashboard of a real account. */
export const registerUi: RegisterCommand = (program, context) => {
  withNodeAccessFlags(program.command('ui'))
    .description('serve the dashboard of this account and cluster to a browser on this machine')
    .option(
      '--stage <stage>',
      'the stage of the deployment (default: the only one in the account and region)',
    )
    .option('--all', 'all deployments of the account and region: a list of the clusters, and a page for each')
    .option('--port <number>', 'the port on 127.0.0.1; left out: any that is free', portNumber, 0)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: UiFlags) => {
      const { serveUi } = await import('./serve.ts');
      await serveUi(flags, context);
    });
};

/** @throws InvalidArgumentError, which commander turns into a usage error. */
function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('write a number from 1 to 65535');
}
