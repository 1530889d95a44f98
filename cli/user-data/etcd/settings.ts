import { isIP } from 'node:net';
import { quoted } from '../../../shared/base/shell-words.ts';

export const formats = ['script', 'cloud-config', 'ignition'] as const;
export type UserDataFormat = (typeof formats)[number];

/** What the boot of a member depends on; everything else it finds out on the instance. */
export interface MemberSettings {
  readonly clusterName: string;
  /** The discovery domain. */
  readonly domain: string;
  /** `--discovery-srv-name`; empty: none. */
  readonly serviceName: string;
  readonly source: 'ssm' | 'dns';
  /** The prefix of the parameters with the state of each member, by instance id. */
  readonly memberParameters: string;
  /** Where the certificates are, in Parameter Store or in S3; empty: on the image, in `certificateDirectory`. */
  readonly pkiSource: string;
  readonly certificateDirectory: string;
  readonly tls: boolean;
  /** What members ask of each other's certificates. */
  readonly peerCommonName: string;
  readonly dataDirectory: string;
  /** An address of the machine, or `0.0.0.0` or `::` for all. */
  readonly listenAddress: string;
  /** The program on the image. */
  readonly etcdPath: string;
}

/** Where the script keeps what it has fetched, readable only by the owner. */
export const stateDirectory = '/var/lib/drover-etcd';

/** The settings as assignments of a shell script. Pure. */
export const settingsText = (settings: MemberSettings): string =>
  Object.entries({
    cluster: settings.clusterName,
    domain: settings.domain,
    service_name: settings.serviceName,
    state_source: settings.source,
    member_parameters: settings.memberParameters,
    pki_source: settings.pkiSource,
    certificate_directory: settings.certificateDirectory,
    scheme: settings.tls ? 'https' : 'http',
    peer_common_name: settings.peerCommonName,
    data_directory: settings.dataDirectory,
    listen_address:
      isIP(settings.listenAddress) === 6 ? `[${settings.listenAddress}]` : settings.listenAddress,
    state_directory: stateDirectory,
    etcd: settings.etcdPath,
  })
    .map(([name, value]) => `readonly ${name}=${quoted(value)}`)
    .join('\n');
