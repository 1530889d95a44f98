import type { Command } from 'commander';
import { withClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../../exit-codes.ts';
import { interruptible } from '../../interruption.ts';
import { withListingFlags } from '../../listing/flags.ts';
import type { AdoptionFlags } from '../adoption/show.ts';
import type { AdoptFlags, CleanUpFlags, RebirthFlags } from './change-mark.ts';
import { withZoneFlags } from './flags.ts';
import type { PlanFlags } from './plan.ts';
import type { StatusFlags } from './status.ts';

const reads = `
Reads Auto Scaling, EC2 and Route 53 with this machine's AWS credentials, and asks the members with the certificate that
drover pki upload has put into Parameter Store; run it where the members can be reached. It changes nothing.`;

const statusHelp = `${reads}

Examples:
  drover etcd status --cluster prod --domain etcd.example.internal --zone Z0123456789ABCDEFGHIJ
  drover etcd status --json | jq -r '.members[] | select(.role == "learner") | .instanceId'
${exitCodesHelp({ done: 'no problems', failed: 'there are problems, or something could not be read' })}`;

const planHelp = `${reads}

Examples:
  drover etcd plan --cluster prod
  drover etcd plan --json | jq '.changes | length'
${exitCodesHelp()}`;

const rebirthHelp = `
Once a cluster has formed in a domain, Drover forms no other there, so that an empty etcd does not hide a lost one. This command
declares it lost, by its id. It deletes every record of Drover in the domain; Drover publishes the next first members when all of
them run. It refuses while an instance of the lost cluster exists that is not given up, and while any etcd answers or refuses
our certificate. An instance that is given up must stop its etcd and lose its data directory before the new cluster can form.

Examples:
  drover etcd rebirth --cluster-id 9a3f0c51d2b7e846 --dry-run
  drover etcd rebirth --forming                the first members never formed a cluster
  drover etcd rebirth --cluster-id 9a3f0c51d2b7e846 --give-up i-0123456789abcdef0 i-0fedcba9876543210
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint })}`;

const adoptHelp = `
For a cluster that was restored from a snapshot, or that was formed without Drover. --plan shows, in a safe order, what must change first:
names, certificates and peer URLs of each member, then user data, hooks and tags of the groups. It changes nothing, and reads the API server
with this machine's kubeconfig too, to recognize stacked etcd of kubeadm. docs/etcd.md#adopt-an-etcd-that-exists is the guide.

Examples:
  drover etcd adopt etcd-a etcd-b etcd-c --plan
  drover etcd adopt --plan --json | jq -r '.steps[0].commands[]'
  drover etcd adopt --cluster-id 9a3f0c51d2b7e846
${exitCodesHelp({ done: 'done; with --plan: nothing has to change', failed: 'failed, refused, or --plan found a step: the message says which', ...endsAtSafePoint })}`;

/** `drover etcd status`, `plan`, `rebirth`, `adopt`, `cleanup`: the zone and the members. */
export function registerZoneCommands(etcd: Command, context: CliContext): void {
  withListingFlags(withZoneFlags(etcd.command('status')))
    .description('show instances, members and records side by side')
    .addHelpText('after', statusHelp)
    .action(async (flags: StatusFlags) => {
      const { showEtcdStatus } = await import('./status.ts');
      await showEtcdStatus(flags, context);
    });
  withZoneFlags(etcd.command('plan'))
    .description('show what a pass would change, and why')
    .option('--json', 'print JSON')
    .addHelpText('after', planHelp)
    .action(async (flags: PlanFlags) => {
      const { showEtcdPlan } = await import('./plan.ts');
      await showEtcdPlan(flags, context);
    });
  withZoneFlags(etcd.command('rebirth'))
    .description('declare the cluster of the domain lost, so that a new one can form')
    .option('--cluster-id <id>', 'the id of the lost cluster, as status shows it')
    .option('--forming', 'the first members never formed a cluster')
    .option('--give-up <instance-id...>', 'instances that may still exist, and whose data is given up')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', rebirthHelp)
    .action(async (flags: RebirthFlags) => {
      const { rebirth } = await import('./change-mark.ts');
      await interruptible(context, (interruptibly) => rebirth(flags, interruptibly));
    });
  withClusterFlags(withZoneFlags(etcd.command('adopt')))
    .description('declare that the cluster that answers belongs to the domain; show first what that needs')
    .argument('[group...]', 'of --plan: the groups of the members (default: those with the role etcd)')
    .option('--cluster-id <id>', 'the id of the cluster that answers')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--plan', 'only print what must change first, one member at a time')
    .option('--json', 'of --plan: print JSON')
    .addHelpText('after', adoptHelp)
    .action(async (groups: readonly string[], flags: AdoptFlags & AdoptionFlags) => {
      if (flags.plan) {
        const { showAdoptionPlan } = await import('../adoption/show.ts');
        return await showAdoptionPlan(groups, flags, context);
      }
      const { adopt } = await import('./change-mark.ts');
      await interruptible(context, (interruptibly) => adopt(groups, flags, interruptibly));
    });
  withZoneFlags(etcd.command('cleanup'))
    .description('delete every record of Drover once no instance is left')
    .option('--give-up <instance-id...>', 'instances that are gone, if no etcd group is left to show it')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint }))
    .action(async (flags: CleanUpFlags) => {
      const { cleanUp } = await import('./change-mark.ts');
      await interruptible(context, (interruptibly) => cleanUp(flags, interruptibly));
    });
}
