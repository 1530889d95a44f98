import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../lifecycle/clock.ts';
import type { IamTokenRequest, MadeCredentials } from './kubeconfig/abilities.ts';
import { Sha256 } from './sha256.ts';

export interface IamTokenOptions {
  /** Where the kubeconfig names no region. */
  readonly region: string;
  /** Asked anew for every token: a role's credentials change. */
  readonly credentials: () => Promise<AwsCredentials> | AwsCredentials;
  readonly clock: Clock;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Verifiers take a token for 15 minutes; clients call it 14 (aws-iam-authenticator, pkg/token). */
const lifetimeMilliseconds = 14 * 60_000;
const urlLifetimeSeconds = 60;

/** Where STS answers, by the beginning of the region's name: the partitions' DNS suffixes. */
const suffixes: readonly (readonly [string, string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['us-iso-', 'c2s.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['eusc-', 'amazonaws.eu'],
];

const hostOf = (region: string): string =>
  `sts.${region}.${suffixes.find(([start]) => region.startsWith(start))?.[1] ?? 'amazonaws.com'}`;

/**
 * Makes tokens that prove an IAM identity to an API server: a presigned GetCallerIdentity with the cluster's id in a signed
 * header, as EKS and aws-iam-authenticator read them. Nothing is sent anywhere.
 */
export function iamTokenMaker(
  options: IamTokenOptions,
): (request: IamTokenRequest) => Promise<MadeCredentials> {
  return async ({ clusterId, region = options.region }) => {
    const now = options.clock.now();
    const url = await presign({ clusterId, region, now, credentials: await options.credentials() });
    return {
      token: `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`,
      expiresAt: now + lifetimeMilliseconds,
    };
  };
}

async function presign(input: {
  readonly clusterId: string;
  readonly region: string;
  readonly now: number;
  readonly credentials: AwsCredentials;
}): Promise<string> {
  const { region, credentials } = input;
  const hostname = hostOf(region);
  const signer = new SignatureV4({
    service: 'sts',
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const signed = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname,
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host: hostname, 'x-k8s-aws-id': input.clusterId },
    },
    { expiresIn: urlLifetimeSeconds, signingDate: new Date(input.now) },
  );
  const query = Object.entries(signed.query ?? {}).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`,
  );
  return `https://${hostname}/?${query.join('&')}`;
}
