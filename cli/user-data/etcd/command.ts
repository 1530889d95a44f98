import { isIP } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../../context.ts';
import { exitCodesHelp } from '../../exit-codes.ts';
import { peerCommonName } from '../../pki/layout.ts';
import { discoveryDomain } from '../../pki/names.ts';
import { s3Address } from '../../pki/s3-address.ts';
import type { EtcdFlags } from './print.ts';
import { formats } from './settings.ts';

const help = `
The same template serves the first boot and every later one: a member asks Drover whether it founds a cluster or joins one, and waits for
the answer; one that has data starts. The image brings etcd, curl, and the AWS CLI or jq (or dig, with --source dns and --certificates).

Examples:
  drover user-data etcd --cluster prod --domain etcd.example.internal
  drover user-data etcd --cluster prod --domain etcd.example.internal --format cloud-config
  drover user-data etcd --cluster prod --domain etcd.example.internal --format ignition --etcd /opt/bin/etcd
  drover user-data etcd --cluster prod --domain etcd.example.internal --source dns --certificates /etc/etcd/pki
${exitCodesHelp()}`;

/** `drover user-data etcd`: what a launch template of etcd members holds. */
export function registerEtcdUserData(parent: Command, context: CliContext): void {
  parent
    .command('etcd')
    .description('print the user data of etcd members')
    .requiredOption('--domain <domain>', 'the discovery domain', discoveryDomain)
    .option('--cluster <name>', 'the cluster; overrides $DROVER_CLUSTER')
    .option('--discovery-srv-name <name>', 'the suffix of the SRV services', serviceName, '')
    .addOption(
      new Option('--source <source>', 'where a member reads what to start as')
        .choices(['ssm', 'dns'])
        .default('ssm'),
    )
    .addOption(
      new Option('--format <format>', 'a shell script, YAML for cloud-init, or JSON for Ignition')
        .choices(formats)
        .default('script'),
    )
    .option('--certificates <folder>', 'the image brings them in this folder', absolutePath)
    .option(
      '--parameter-prefix <prefix>',
      'the prefix of their parameters (default: /drover/CLUSTER/pki)',
      parameterPrefix,
    )
    .option('--s3 <address>', 's3://BUCKET/PREFIX: they are there', s3Address)
    .option('--peer-cn <name>', 'the common name that members ask of each other', commonName, peerCommonName)
    .option('--no-tls', 'members speak without TLS')
    .option('--data-dir <folder>', 'where etcd keeps its data', absolutePath, '/var/lib/etcd')
    .option('--listen <address>', 'the address that etcd listens on; :: for IPv6', address, '0.0.0.0')
    .option('--etcd <path>', 'the program on the image', absolutePath, '/usr/local/bin/etcd')
    .addHelpText('after', help)
    .action(async (flags: EtcdFlags) => {
      const { printUserData } = await import('./print.ts');
      await printUserData(flags, context);
    });
}

const taking =
  (isRight: (text: string) => boolean, what: string) =>
  (text: string): string => {
    if (isRight(text)) return text;
    throw new InvalidArgumentError(`write ${what}`);
  };

const serviceName = taking(
  (text) => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(text),
  'letters, digits and dashes',
);
const absolutePath = taking(
  (text) => /^(?:\/[\w.-]+)+$/.test(text),
  'an absolute path of letters, digits, dots and dashes',
);
const parameterPrefix = taking(
  (text) => /^(?:\/[\w.-]+)+$/.test(text),
  'the beginning of a name in Parameter Store, such as /drover/prod/pki',
);
const commonName = taking((text) => /^[\w.-]{1,64}$/.test(text), 'a common name such as etcd-peer');
const address = taking((text) => isIP(text) !== 0, 'an IPv4 or IPv6 address');
