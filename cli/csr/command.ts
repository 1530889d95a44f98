import type { Command } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { CsrFlags, DecideFlags, ListFlags } from './flags.ts';

const place = `
Works with this machine's AWS credentials and a kubeconfig, and changes nothing. Give it the DROVER_* variables of the function
certificate-requests, so that it judges with the same settings.`;

const listHelp = `${place}

Examples:
  drover csr list --cluster prod
  drover csr list --json | jq '.[] | select(.verdict == "conflict")'
${exitCodesHelp()}`;

const explainHelp = `${place}

Examples:
  drover csr explain node-csr-4Tp9 --cluster prod
${exitCodesHelp()}`;

const decideHelp = (verb: string): string => `
Shows what Drover thinks of the request and why, and without --yes changes nothing. The condition names you and Drover's verdict.

Examples:
  drover csr ${verb} node-csr-4Tp9 --cluster prod           what would be done
  drover csr ${verb} node-csr-4Tp9 --cluster prod --yes
${exitCodesHelp(failedOrRefused)}`;

/** `drover csr list|explain|approve|deny`: certificate requests of kubelets, for people. */
export const registerCsr: RegisterCommand = (program, context) => {
  const csr = program
    .command('csr')
    .description('certificate requests of kubelets: what Drover thinks of them');
  csr.addHelpText('after', exitCodesHelp());
  withListingFlags(withPlace(csr.command('list')))
    .description('list the pending requests, each with its verdict and the reason')
    .option('--all', 'decided requests too')
    .addHelpText('after', listHelp)
    .action(async (flags: ListFlags) => {
      const { listRequests } = await import('./list.ts');
      await listRequests(flags, context);
    });
  shaped(csr.command('explain'))
    .description('show one request: what it asks for, and what Drover thinks of it')
    .argument('<name>', 'the name of the request')
    .addHelpText('after', explainHelp)
    .action(async (name: string, flags: CsrFlags) => {
      const { explainRequest } = await import('./list.ts');
      await explainRequest(name, flags, context);
    });
  for (const verb of ['approve', 'deny'] as const)
    shaped(csr.command(verb))
      .description(`${verb} a request manually, overriding Drover's decision`)
      .argument('<name>', 'the name of the request')
      .option('--yes', `${verb} it; without this, only show the reasons`)
      .addHelpText('after', decideHelp(verb))
      .action(async (name: string, flags: DecideFlags) => {
        const { decideByHand } = await import('./decide.ts');
        await decideByHand(verb, name, flags, context);
      });
};

const withPlace = (command: Command): Command => withClusterFlags(withAutoScalingFlags(command));

const shaped = (command: Command): Command => withPlace(command).option('--json', 'print JSON');
