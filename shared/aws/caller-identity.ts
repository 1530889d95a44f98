import { partition } from '@aws-sdk/core/client';
import { formatUrl } from '@aws-sdk/core/util';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsConnection } from './connection.ts';

const expiresInSeconds = 60;

export interface CallerIdentityOptions {
  /** Goes into the signature with the header `x-k8s-aws-id`, so that the URL is good for one cluster only. */
  readonly clusterId: string;
  /** The region whose STS is asked; absent: the connection's. */
  readonly region?: string;
  /** Whether the FIPS endpoint is asked, which the United States and Canada have. */
  readonly fips?: boolean;
}

/** The endpoint of STS in a region. In GovCloud the usual one is that of FIPS (AWS General Reference, "AWS STS endpoints"). */
export function stsHostOf(region: string, { fips }: { readonly fips: boolean }): string {
  const { name, dnsSuffix } = partition(region);
  return `${fips && name !== 'aws-us-gov' ? 'sts-fips' : 'sts'}.${region}.${dnsSuffix}`;
}

/**
 * A URL that proves for a minute which AWS identity made it: a presigned GetCallerIdentity, as EKS and aws-iam-authenticator read
 * it. Nothing is sent anywhere.
 */
export async function presignCallerIdentity(
  { credentials, clock, region: ownRegion }: Pick<AwsConnection, 'credentials' | 'clock' | 'region'>,
  { clusterId, region = ownRegion, fips = false }: CallerIdentityOptions,
): Promise<string> {
  const hostname = stsHostOf(region, { fips });
  const request = new HttpRequest({
    hostname,
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, 'x-k8s-aws-id': clusterId },
  });
  const signer = new SignatureV4({
    service: 'sts',
    region,
    credentials: await credentials(),
    sha256: Sha256,
  });
  const signingDate = new Date(clock.now());
  return formatUrl(await signer.presign(request, { signingDate, expiresIn: expiresInSeconds }));
}
