import { readConfig } from '../../../shared/runtime/config.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { longestUserData } from '../longest-user-data.ts';
import { memberTemplate } from './member-template.ts';
import { renderUserData } from './render.ts';
import type { MemberSettings, UserDataFormat } from './settings.ts';

export interface EtcdFlags {
  readonly cluster?: string;
  readonly domain: string;
  readonly discoverySrvName: string;
  readonly source: 'ssm' | 'dns';
  readonly format: UserDataFormat;
  readonly certificates?: string;
  readonly parameterPrefix?: string;
  readonly s3?: string;
  readonly peerCn: string;
  readonly tls: boolean;
  readonly dataDir: string;
  readonly listen: string;
  readonly etcd: string;
}

/** Prints the user data of an etcd member. */
export async function printUserData(flags: EtcdFlags, context: CliContext): Promise<void> {
  const places = [flags.certificates, flags.parameterPrefix, flags.s3].filter((one) => one !== undefined);
  if (places.length > 1)
    throw new CliError('give one of --certificates, --parameter-prefix and --s3', exitCodes.usage);
  const rendering = { settings: settingsOf(flags, context), template: await memberTemplate() };
  const text = renderUserData(rendering, flags.format);
  if (Buffer.byteLength(text) > longestUserData)
    throw new CliError(
      `the user data is longer than the ${longestUserData} bytes that EC2 takes`,
      exitCodes.failed,
    );
  context.stdout.write(text);
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
    pkiSource: onImage ? '' : (flags.s3 ?? flags.parameterPrefix ?? `/drover/${clusterName}/pki`),
    certificateDirectory: flags.certificates ?? '',
    tls: flags.tls,
    peerCommonName: flags.peerCn,
    dataDirectory: flags.dataDir,
    listenAddress: flags.listen,
    etcdPath: flags.etcd,
  };
}
