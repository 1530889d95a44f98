import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { durationWithUnit, wholeNumber } from '../durations.ts';
import { exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { InspectFlags } from './inspect/inspect.ts';
import { keyTypes } from './key-types.ts';
import type { MakeFlags } from './make.ts';
import { certificateNames, discoveryDomain } from './names.ts';
import type { PolicyFlags } from './policy.ts';
import { s3Address } from './s3-address.ts';
import type { UploadFlags } from './upload.ts';

const codes = exitCodesHelp(failedOrRefused);

const makeHelp = `
Works offline. Files are those of kubeadm; keys are readable only by their owner. Existing files are never overwritten: --renew keeps the
authorities and the key of service accounts, and replaces the certificates, with the names that they had.

Examples:
  drover pki --domain etcd.example.internal --names api.example.com
  drover pki --renew                                    every certificate, before they expire
  drover pki --renew --only etcd/drover-client          the one that lives for 30 days only
${codes}`;

const inspectHelp = `
Examples:
  drover pki inspect
  drover pki inspect pki/etcd/server.crt
  drover pki inspect --within 14d --json | jq '.problems'
${exitCodesHelp({ done: 'every certificate is good', failed: 'one has expired or is broken, or could not be read' })}`;

const uploadHelp = `
Puts each file into a SecureString of its own, or with --s3 into an object of a bucket that must be encrypted and block public access. What
etcd-membership needs is a SecureString in both cases. Keys that no node needs are not uploaded
unless --all is given: those of etcd's and the front proxy's authority, and those of administrators.

Examples:
  drover pki upload --cluster prod --dry-run
  drover pki upload --cluster prod --kms-key alias/prod-pki --client-kms-key alias/prod-etcd-client
  drover pki upload --cluster prod --s3 s3://prod-keys/pki --kms-key alias/prod-pki --client-kms-key alias/prod-etcd-client
${codes}`;

const policyHelp = `
Attach it to the role in the instance profile. Works offline.

Examples:
  drover pki policy --cluster prod --role etcd
  drover pki policy --cluster prod --role control-plane --etcd beside --s3 s3://prod-keys/pki --kms-key arn:aws:kms:eu-west-1:123456789012:key/ID
${exitCodesHelp({ failed: 'failed' })}`;

/** `drover pki`, `inspect`, `upload` and `policy`: the certificates of a cluster and its etcd. */
export const registerPki: RegisterCommand = (program, context) => {
  // Positional, so that a flag after `inspect` is inspect's own although `pki` has one of that name.
  const pki = program.command('pki').enablePositionalOptions();
  pki
    .description('make the certificates of a cluster and its etcd; read them back; upload them')
    .option('--domain <domain>', 'the discovery domain of etcd (--discovery-srv)', discoveryDomain)
    .option(
      '--names <names>',
      'further names and addresses of the API server, with commas between',
      certificateNames,
    )
    .option('--out <folder>', 'where the files go', 'pki')
    .option('--days <number>', 'how long certificates are good', days(3650), 365)
    .option(
      '--client-days <number>',
      'how long Drover’s own client certificate for etcd is good',
      days(3650),
      30,
    )
    .option('--ca-days <number>', 'how long authorities are good', days(36_500), 3650)
    .addOption(
      new Option('--key-type <type>', 'the kind of new keys').choices(keyTypes).default('ecdsa-p256'),
    )
    .option('--renew', 'keep the authorities, replace the certificates')
    .option('--only <paths>', 'of --renew: only these, with commas between', paths)
    .option('--dry-run', 'list what would be written, and write nothing')
    .addHelpText('after', makeHelp)
    .action(async (flags: MakeFlags) => {
      // The library for certificates is large, and few commands need it.
      const { makePki } = await import('./make.ts');
      await makePki(flags, context);
    });
  registerInspect(pki, context);
  registerUpload(pki, context);
  registerPolicy(pki, context);
};

/** Fourteen seconds, where days are meant, would find nothing. */
const withinSeconds = (text: string): number => durationWithUnit(text, { minimum: 0 });

function registerInspect(pki: Command, context: CliContext): void {
  pki
    .command('inspect')
    .description('read certificates back: names, usages, days left, chain and key')
    .argument('[path...]', 'folders and files; left out: pki')
    .option('--within <duration>', 'fail for what expires within this time too', withinSeconds, 0)
    .option('--json', 'print JSON')
    .addHelpText('after', inspectHelp)
    .action(async (paths: readonly string[], flags: InspectFlags) => {
      const { inspectPki } = await import('./inspect/inspect.ts');
      await inspectPki(paths.length > 0 ? paths : ['pki'], flags, context);
    });
}

function registerUpload(pki: Command, context: CliContext): void {
  pki
    .command('upload')
    .description('publish certificates and keys in Parameter Store or S3, encrypted')
    .argument('[folder]', 'left out: pki', 'pki')
    .option('--cluster <name>', 'the cluster; overrides $DROVER_CLUSTER')
    .option('--parameter-prefix <prefix>', 'overrides /drover/CLUSTER/pki')
    .option('--s3 <address>', 's3://BUCKET/PREFIX, instead of Parameter Store', s3Address)
    .option('--bucket-owner <account>', 'the account that owns the bucket (default: your own)')
    .option('--client-parameter <name>', 'overrides /drover/CLUSTER/etcd-client')
    .option('--kms-key <key>', 'the id, ARN or alias of a KMS key (default: the default key of the account)')
    .option('--client-kms-key <key>', 'another one for Drover’s own client certificate')
    .option('--all', 'with the keys that no node needs')
    .option('--overwrite', 'replace what is there')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION')
    .option('--dry-run', 'say what would be written, and write nothing')
    .addHelpText('after', uploadHelp)
    .action(async (folder: string, flags: UploadFlags) => {
      const { uploadPki } = await import('./upload.ts');
      await uploadPki(folder, flags, context);
    });
}

function registerPolicy(pki: Command, context: CliContext): void {
  pki
    .command('policy')
    .description('print the IAM policy of instances that read certificates, and of nothing else')
    .option('--cluster <name>', 'the cluster; overrides $DROVER_CLUSTER')
    .addOption(
      new Option('--role <role>', 'what the instances are')
        .choices(['control-plane', 'etcd'])
        .makeOptionMandatory(),
    )
    .addOption(new Option('--etcd <where>', 'as in the user data').choices(['beside']))
    .option('--parameter-prefix <prefix>', 'as in the user data (default: /drover/CLUSTER/pki)')
    .option('--s3 <address>', 'as in the user data: s3://BUCKET/PREFIX', s3Address)
    .option('--kms-key <arn>', 'a key that encrypts what they read; may be given several times', collect)
    .option('--account <id>', 'only of this account (default: any that lets the role read)')
    .option('--region <region>', 'only of this region; overrides $AWS_REGION')
    .addHelpText('after', policyHelp)
    .action(async (flags: PolicyFlags) => {
      const { printPolicy } = await import('./policy.ts');
      printPolicy(flags, context);
    });
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

const days =
  (most: number) =>
  (text: string): number => {
    const number = wholeNumber(text);
    if (number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`write a number of days from 1 to ${most}`);
  };

const paths = (text: string): readonly string[] =>
  text
    .split(',')
    .map((path) => path.trim().replace(/\.(?:crt|key)$/, ''))
    .filter(Boolean);
