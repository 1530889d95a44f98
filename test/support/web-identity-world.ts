import { createIam, createSts } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';

export const ownAccount = '123456789012';
export const region = 'eu-west-1';

export interface WebIdentityAsk {
  /** Undefined if the caller is a role. */
  readonly userName?: string;
  readonly roleName?: string;
  /** The instance whose credentials ask. */
  readonly instanceId?: string;
  readonly instanceAccount?: string;
  readonly roleDelivery?: '1.0' | '2.0';
  readonly audience?: string;
  readonly seconds?: number;
  readonly algorithm?: 'RS256' | 'ES384';
}

/** An account that gives out web identity tokens, on the clock that it is given. */
export function createWebIdentityAccount({
  clock,
  accountId = ownAccount,
  seed = 1,
}: {
  readonly clock: Parameters<typeof createIam>[0]['clock'];
  readonly accountId?: string;
  readonly seed?: number;
}) {
  const random = createRandom(seed);
  const iam = createIam({ clock, random, accountId });
  const sts = createSts({ iam, clock, random, region });
  iam.tokenIssuer.enable();
  const credentialsOf = ({
    userName,
    roleName = 'worker',
    instanceId,
    roleDelivery = '2.0',
    instanceAccount = accountId,
  }: WebIdentityAsk) => {
    if (userName !== undefined) return iam.putUser({ userName, policies: [] });
    const { arn: roleArn } = iam.putRole({
      roleName,
      policies: [],
      trustPolicy: { Version: '2012-10-17', Statement: [] },
    });
    const arn = `arn:aws:ec2:${region}:${instanceAccount}:instance/${instanceId}`;
    return iam.issueCredentials({
      roleArn,
      sessionName: instanceId ?? 'ann',
      durationSeconds: 21_600,
      ...(instanceId !== undefined && {
        instance: { arn, vpcId: 'vpc-0aaaaaaaaaaaaaaa1', privateIpv4: '10.0.0.1', roleDelivery },
      }),
    });
  };
  return {
    issuer: iam.tokenIssuer,
    issuerUrl: iam.tokenIssuer.url() ?? '',
    /** The JWT that STS gives to this principal. */
    token: (ask: WebIdentityAsk): string => {
      const identity = iam.findIdentity(credentialsOf(ask).accessKeyId);
      if (identity === undefined) throw new Error('its credentials are not known');
      const { audience = 'drover:prod', seconds = 300, algorithm = 'ES384' } = ask;
      return sts.operations.GetWebIdentityToken(
        { Audience: [audience], DurationSeconds: seconds, SigningAlgorithm: algorithm },
        { principal: identity.principal, requestId: 'x' },
      ).WebIdentityToken;
    },
  };
}
