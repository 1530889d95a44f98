import type { Cloud } from '@drover/cloud-sandbox';
import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import * as z from 'zod/mini';
import { presignCallerIdentity } from '../../shared/aws/caller-identity.ts';
import { tokenPrefix } from '../../shared/identity/read-token.ts';
import { webhookPath } from '../../shared/identity/webhook.ts';
import { clusterName } from '../names.ts';

const roleName = 'dev';
const configMap = { namespace: 'kube-system', name: 'aws-auth' } as const;

const reviewSchema = z.object({
  status: z.object({ authenticated: z.boolean(), user: z.optional(z.object({ username: z.string() })) }),
});

const secretSchema = z.object({ current: z.string() });

const secretParameterOf = ({ lambda }: Cloud): string =>
  lambda.functionOf('token-webhook').environment.DROVER_TOKEN_WEBHOOK_SECRET_PARAMETER ?? '';

/**
 * The secret that makeWebhookSecret has made.
 *
 * @throws ZodError or SyntaxError if there is none
 */
export const webhookSecretOf = (cloud: Cloud): string =>
  secretSchema.parse(JSON.parse(cloud.account.ssm.controls.value(secretParameterOf(cloud)) ?? '')).current;

/** Makes the secret by which the token webhook knows the API server, as an operator does. */
export function makeWebhookSecret(cloud: Cloud): string {
  const { account } = cloud;
  const secret = account.random.secretHex(48);
  account.ssm.operations.PutParameter(
    {
      Name: secretParameterOf(cloud),
      Type: 'SecureString',
      Value: JSON.stringify({ current: secret }),
      Overwrite: true,
    },
    { principal: account.operator, requestId: 'furnish' },
  );
  return secret;
}

/** The ConfigMap aws-auth with an entry for the role, and nothing else. */
export const awsAuthOf = ({ accountId }: Pick<Cloud['account'], 'accountId'>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: configMap,
  data: {
    mapRoles: `- rolearn: arn:aws:iam::${accountId}:role/${roleName}
  username: ${roleName}:{{SessionName}}
  groups: [devs]
`,
  },
});

/** Puts an entry for the role into aws-auth, or takes it out. */
export function mapRole({ account, kubernetes: { registry, store } }: Cloud, isMapped: boolean): void {
  const existing = store.of('configmaps').get(configMap.namespace, configMap.name);
  if (existing) registry.delete('configmaps', existing);
  if (isMapped) registry.create('configmaps', awsAuthOf(account));
}

/**
 * Asks the token webhook who a session of the role is, as the API server asks it with the token that a client shows.
 *
 * @returns the name; undefined if no entry maps the role
 * @throws Error with the answer where that is neither
 */
export async function logIn(
  cloud: Cloud,
  secret: string,
  version: 'v1' | 'v1beta1' = 'v1',
): Promise<string | undefined> {
  const body = {
    apiVersion: `authentication.k8s.io/${version}`,
    kind: 'TokenReview',
    spec: { token: await makeToken(cloud) },
  };
  const outcome = await cloud.lambda.invoke('token-webhook', {
    version: '2.0',
    rawPath: webhookPath,
    headers: { authorization: `Bearer ${secret}` },
    requestContext: { http: { method: 'POST' } },
    body: JSON.stringify(body),
  });
  const result =
    outcome.kind === 'succeeded' ? (outcome.result as { statusCode: number; body: string }) : undefined;
  if (result?.statusCode !== 200)
    throw new Error(`the token webhook answered ${result?.statusCode ?? outcome.kind}: see its log`);
  const { status } = reviewSchema.parse(JSON.parse(result.body));
  return status.authenticated ? status.user?.username : undefined;
}

async function makeToken({ account }: Cloud): Promise<string> {
  const { arn: roleArn } = account.iam.putRole({
    roleName,
    policies: [],
    trustPolicy: { Version: '2012-10-17', Statement: [] },
  });
  const credentials = account.iam.issueCredentials({ roleArn, sessionName: 'ann', durationSeconds: 3600 });
  const { clock, region } = account;
  const url = await presignCallerIdentity(
    { credentials: async () => credentials, clock, region },
    { clusterId: clusterName },
  );
  return `${tokenPrefix}${Buffer.from(url).toString('base64url')}`;
}
