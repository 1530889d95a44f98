import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { peerCommonName } from '../../pki/layout.ts';
import { discoveryDomain } from '../../pki/names.ts';
import { formats, longestUserData, renderUserData, type UserDataFormat } from './render.ts';
import type { MemberSettings } from './settings.ts';

interface EtcdFlags {
  readonly cluster?: string;
  readonly domain: string;
  readonly discoverySrvName: string;
  readonly source: 'ssm' | 'dns';
  readonly format: UserDataFormat;
  readonly certificates?: string;
  readonly parameterPrefix?: string;
  readonly peerCn: string;
  readonly tls: boolean;
  readonly dataDir: string;
  readonly listen: string;
  readonly etcd: string;
}

const help = `
The same template serves the first boot and every later one: a member asks Drover whether it founds a cluster or joins one, and waits for
the answer; one that has data starts. The image brings etcd, curl, and the AWS CLI (or dig, with --source dns and --certificates).

Examples:
  drover user-data etcd --cluster prod --domain etcd.example.internal
  drover user-data etcd --cluster prod --domain etcd.example.internal --format cloud-config
  drover user-data etcd --cluster prod --domain etcd.example.internal --source dns --certificates /etc/etcd/pki

Exit codes:
  0  done
  1  failed: the message says why
  2  the command line is wrong`;

/** `drover user-data etcd`: what a launch template of etcd members holds. */
export function registerEtcd(parent: Command, context: CliContext): void {
  parent
    .command('etcd')
    .description('print the user data of etcd members')
    .requiredOption('--domain <domain>', 'the discovery domain', discoveryDomain)
    .option('--cluster <name>', 'the cluster, in place of $DROVER_CLUSTER')
    .option('--discovery-srv-name <name>', 'the suffix of the SRV services', serviceName, '')
    .addOption(
      new Option('--source <source>', 'where a member reads what to start as')
        .choices(['ssm', 'dns'])
        .default('ssm'),
    )
    .addOption(new Option('--format <format>', 'a shell script, or YAML').choices(formats).default('script'))
    .option('--certificates <folder>', 'the image brings them in this folder', absolutePath)
    .option(
      '--parameter-prefix <prefix>',
      'where they are published, in place of /drover/CLUSTER/pki',
      parameterPrefix,
    )
    .option('--peer-cn <name>', 'the common name that members ask of each other', commonName, peerCommonName)
    .option('--no-tls', 'members speak without TLS')
    .option('--data-dir <folder>', 'where etcd keeps its data', absolutePath, '/var/lib/etcd')
    .option('--listen <address>', 'the address that etcd listens on; :: for IPv6', address, '0.0.0.0')
    .option('--etcd <path>', 'the program on the image', absolutePath, '/usr/local/bin/etcd')
    .addHelpText('after', help)
    .action(async (flags: EtcdFlags) => {
      const template = await readFile(join(import.meta.dirname, 'member.sh'), 'utf8');
      const text = renderUserData({ settings: settingsOf(flags, context), template }, flags.format);
      if (Buffer.byteLength(text) > longestUserData)
        throw new CliError(
          `the user data is longer than the ${longestUserData} bytes that EC2 takes`,
          exitCodes.failed,
        );
      context.stdout.write(text);
    });
}

function settingsOf(flags: EtcdFlags, { environment }: CliContext): MemberSettings {
  const DROVER_CLUSTER = flags.cluster ?? environment.DROVER_CLUSTER;
  const { clusterName } = readConfig({ DROVER_CLUSTER }, ['clusterName']);
  const onImage = flags.certificates !== undefined || !flags.tls;
  return {
    clusterName,
    domain: flags.domain,
    serviceName: flags.discoverySrvName,
    source: flags.source,
    memberParameters: `/drover/${clusterName}/etcd/members`,
    pkiParameters: onImage ? '' : (flags.parameterPrefix ?? `/drover/${clusterName}/pki`),
    certificateDirectory: flags.certificates ?? '',
    tls: flags.tls,
    peerCommonName: flags.peerCn,
    dataDirectory: flags.dataDir,
    listenAddress: flags.listen,
    etcdPath: flags.etcd,
  };
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
