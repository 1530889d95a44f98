import { type Command, InvalidArgumentError } from 'commander';
import { instanceIdPattern } from '../../../shared/base/instance-id.ts';
import { defaultRetention } from '../../../shared/etcd/snapshots/retention.ts';
import { withAutoScalingFlags } from '../../auto-scaling/flags.ts';
import type { CliContext } from '../../context.ts';
import { wholeNumber } from '../../durations.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../../exit-codes.ts';
import { interruptible } from '../../interruption.ts';
import { withListingFlags } from '../../listing/flags.ts';
import { discoveryDomain } from '../../pki/names.ts';
import { withZoneFlags } from '../zone/flags.ts';
import { withBucketFlags } from './flags.ts';
import type { ListFlags } from './list.ts';
import type { RestoreFlags } from './restore.ts';
import type { SnapshotFlags } from './snapshot.ts';

const codes = exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint });

const snapshotHelp = `
Finds a healthy member as status does, and streams its database into the bucket. The object exists only if the whole database
arrived and etcd's own hash at its end is right. A snapshot holds every Secret of the cluster.

Examples:
  drover etcd snapshot --cluster prod --bucket prod-etcd --kms-key alias/prod-etcd
  drover etcd snapshot --cluster prod --bucket prod-etcd --member i-0123456789abcdef0 --json
${codes}`;

const snapshotsHelp = `
For each cluster, --prune keeps the newest --keep snapshots and the newest of each of the last --days days.

Examples:
  drover etcd snapshots --cluster prod --bucket prod-etcd
  drover etcd snapshots --cluster prod --bucket prod-etcd --prune --keep 24 --days 30 --dry-run
${codes}`;

const restoreHelp = `
Fetches a snapshot, the newest unless one is named, makes sure that it is whole, and prints what the first member must run. It
changes nothing but the file.

Examples:
  drover etcd restore --cluster prod --bucket prod-etcd --member i-0123456789abcdef0
  drover etcd restore drover/prod/etcd/9a3f0c51d2b7e846/2026-11-21T20:05:44.123Z.db --bucket prod-etcd --member i-0123456789abcdef0
${codes}`;

/** `drover etcd snapshot`, `snapshots`, `restore`. */
export function registerSnapshotCommands(etcd: Command, context: CliContext): void {
  withBucketFlags(withZoneFlags(etcd.command('snapshot')))
    .description('upload the database of a member to S3')
    .option('--kms-key <key>', 'the id, ARN or alias of a KMS key (default: the encryption of the bucket)')
    .option('--member <instance>', 'take the database of this member (default: a healthy one)', instanceId)
    .option('--json', 'print JSON')
    .addHelpText('after', snapshotHelp)
    .action(async (flags: SnapshotFlags) => {
      const { snapshot } = await import('./snapshot.ts');
      await interruptible(context, (interruptibly) => snapshot(flags, interruptibly));
    });
  withListingFlags(withBucketFlags(withAutoScalingFlags(etcd.command('snapshots'))))
    .description('list snapshots, newest first; --prune removes old ones')
    .option('--prune', 'remove the snapshots that --keep and --days do not keep')
    .option('--keep <number>', 'how many of the newest to keep', count, defaultRetention.keep)
    .option(
      '--days <number>',
      'for how many days to keep the newest of each day',
      count,
      defaultRetention.days,
    )
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .addHelpText('after', snapshotsHelp)
    .action(async (flags: ListFlags) => {
      const { snapshots } = await import('./list.ts');
      await interruptible(context, (interruptibly) => snapshots(flags, interruptibly));
    });
  registerRestore(etcd, context);
}

function registerRestore(etcd: Command, context: CliContext): void {
  withBucketFlags(withAutoScalingFlags(etcd.command('restore')))
    .description('download a snapshot and print the commands that restore it')
    .argument('[snapshot]', 'its name in the bucket; left out: the newest')
    .requiredOption('--member <instance>', 'the instance that is to be the first member', instanceId)
    .option('--domain <domain>', 'the discovery domain; overrides $DROVER_ETCD_DOMAIN', discoveryDomain)
    .option('--zone <id>', 'the hosted zone that holds it; overrides $DROVER_ETCD_ZONE_ID')
    .option('--cluster-id <id>', 'use the newest snapshot of this cluster, if there are several clusters')
    .option('--out <file>', 'where the database goes', 'snapshot.db')
    .option('--data-dir <folder>', 'where etcd keeps its data on the instance', absolutePath, '/var/lib/etcd')
    .option('--no-tls', 'members speak without TLS')
    .option('--json', 'print JSON')
    .addHelpText('after', restoreHelp)
    .action(async (key: string | undefined, flags: RestoreFlags) => {
      const { restore } = await import('./restore.ts');
      await interruptible(context, (interruptibly) => restore(key, flags, interruptibly));
    });
}

/** @throws InvalidArgumentError */
function instanceId(text: string): string {
  if (instanceIdPattern.test(text)) return text;
  throw new InvalidArgumentError('write the id of an instance, such as i-0123456789abcdef0');
}

function count(text: string): number {
  const number = wholeNumber(text);
  if (number >= 1) return number;
  throw new InvalidArgumentError('write a whole number from 1 on');
}

function absolutePath(text: string): string {
  if (/^(?:\/[\w.-]+)+$/.test(text)) return text;
  throw new InvalidArgumentError('write an absolute path of letters, digits, dots and dashes');
}
