import { regionalHost } from './api/endpoint.ts';
import { presignedQuery } from './api/sign.ts';
import type { AwsConnection } from './connection.ts';

const expiresInSeconds = 60;

export interface CallerIdentityOptions {
  /** Goes into the signature with the header `x-k8s-aws-id`, so that the URL is good for one cluster only. */
  readonly clusterId: string;
  /** Whose STS is asked; absent: the connection's. */
  readonly region?: string;
}

/**
 * A URL by which whoever holds it can ask STS, for a minute, who made it: a presigned GetCallerIdentity as EKS and
 * aws-iam-authenticator read it. Nothing is sent anywhere.
 */
export async function presignCallerIdentity(
  { credentials, clock, region: ownRegion }: Pick<AwsConnection, 'credentials' | 'clock' | 'region'>,
  { clusterId, region = ownRegion }: CallerIdentityOptions,
): Promise<string> {
  const host = regionalHost('sts', region);
  const query = presignedQuery(
    {
      method: 'GET',
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host, 'x-k8s-aws-id': clusterId },
      body: '',
    },
    { service: 'sts', region, credentials: await credentials(), now: clock.now(), expiresInSeconds },
  );
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `https://${host}/?${pairs.join('&')}`;
}
