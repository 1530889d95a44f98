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

/** A presigned request, and when the credentials that signed it expire: AWS refuses it after that. */
export interface PresignedIdentity {
  readonly url: string;
  /** Epoch milliseconds; absent: unknown, or never. */
  readonly signerExpiresAt?: number;
}

/**
 * A URL that proves for a minute which AWS identity made it: a presigned GetCallerIdentity, as EKS and aws-iam-authenticator read
 * it. Nothing is sent anywhere.
 */
export const presignCallerIdentity = async (
  connection: SigningConnection,
  options: CallerIdentityOptions,
): Promise<string> => (await presignWithExpiry(connection, options)).url;

type SigningConnection = Pick<AwsConnection, 'credentials' | 'clock' | 'region'>;

/** The same URL, and when its signer expires. */
export async function presignWithExpiry(
  { credentials, clock, region: ownRegion }: SigningConnection,
  { clusterId, region = ownRegion, fips = false }: CallerIdentityOptions,
): Promise<PresignedIdentity> {
  const hostname = stsHostOf(region, { fips });
  const request = new HttpRequest({
    hostname,
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, 'x-k8s-aws-id': clusterId },
  });
  const keys = await credentials();
  const signer = new SignatureV4({
    service: 'sts',
    region,
    credentials: keys,
    sha256: Sha256,
  });
  const signingDate = new Date(clock.now());
  return {
    url: formatUrl(await signer.presign(request, { signingDate, expiresIn: expiresInSeconds })),
    ...(keys.expiration && { signerExpiresAt: keys.expiration.getTime() }),
  };
}
