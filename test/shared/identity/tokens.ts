import { presignCallerIdentity } from '../../../shared/aws/caller-identity.ts';

export const signedAt = Date.UTC(2026, 10, 23, 8);

const credentials = {
  accessKeyId: 'ASIAQ3EGR6KXEXAMPLE2',
  secretAccessKey: 'secret',
  sessionToken: 'IQoJb3JpZ2luX2VjEJr//////////wEaCWV1+west/1=',
};

/** The URL that Drover's own client presigns. */
export const presignedUrl = (region = 'eu-west-1', clusterId = 'prod'): Promise<string> =>
  presignCallerIdentity(
    { credentials: async () => credentials, clock: { now: () => signedAt }, region },
    { clusterId },
  );

export const tokenOf = (url: string): string =>
  `k8s-aws-v1.${Buffer.from(url, 'latin1').toString('base64url')}`;
