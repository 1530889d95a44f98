import { presignCallerIdentity } from '../../shared/aws/caller-identity.ts';
import { clusterName, type DroverWorld, keyId } from './drover-world.ts';
import { httpEvent } from './http-event.ts';

export const webhookSecret = 'current-secret-of-the-api-servers-0123456789';
export const secretParameter = `/drover/${clusterName}/token-webhook`;
export const mappingParameter = `/drover/${clusterName}/identity-mapping`;

export function putParameter(
  { account }: DroverWorld,
  Name: string,
  Value: string,
  Type: 'String' | 'SecureString' = 'String',
): void {
  account.ssm.operations.PutParameter(
    { Name, Value, Type, Overwrite: true, ...(Type === 'SecureString' && { KeyId: keyId }) },
    {
      principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
      requestId: 'x',
    } as never,
  );
}

export const roleNamed = ({ account }: DroverWorld, roleName: string) =>
  account.iam.putRole({
    roleName,
    policies: [],
    trustPolicy: { Version: '2012-10-17', Statement: [] },
  });

/** The token that a session of a role makes for a cluster. */
export async function iamToken(
  world: DroverWorld,
  {
    roleName,
    sessionName,
    cluster = clusterName,
  }: { readonly roleName: string; readonly sessionName: string; readonly cluster?: string | undefined },
): Promise<string> {
  const { arn: roleArn } = roleNamed(world, roleName);
  const credentials = world.account.iam.issueCredentials({ roleArn, sessionName, durationSeconds: 3600 });
  const url = await presignCallerIdentity(
    { credentials: async () => credentials, clock: world.clock, region: 'eu-west-1' },
    { clusterId: cluster },
  );
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}

/** The ConfigMap kube-system/aws-auth with that data. */
export function awsAuth(
  { kubernetes: { registry, store } }: DroverWorld,
  data: Record<string, string>,
): void {
  const metadata = { name: 'aws-auth', namespace: 'kube-system' };
  const existing = store.of('configmaps').get('kube-system', 'aws-auth');
  if (existing) registry.delete('configmaps', existing);
  registry.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}

export const reviewOf = (token: string, version = 'v1') => ({
  apiVersion: `authentication.k8s.io/${version}`,
  kind: 'TokenReview',
  spec: { token },
});

/** A request to the webhook, as API Gateway passes it on. */
export async function askWebhook(
  world: DroverWorld,
  body: object | string,
  { bearer = webhookSecret, method = 'POST', path = '/token-review' } = {},
) {
  const event = httpEvent(method, path, {
    callerArn: null,
    headers: { authorization: `Bearer ${bearer}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const outcome = await world.lambda.invoke('token-webhook', event);
  if (outcome.kind !== 'succeeded') throw new Error(`token-webhook ended with ${outcome.kind}`);
  const { statusCode, body: text } = outcome.result as { statusCode: number; body: string };
  return { statusCode, body: JSON.parse(text) };
}

/** Who the bearer is, as an API server with the token webhook finds it: in the version of TokenReview that it sends. */
export async function authenticateBy(world: DroverWorld, token: string, version: 'v1' | 'v1beta1') {
  const { statusCode, body } = await askWebhook(world, reviewOf(token, version));
  if (statusCode !== 200) throw new Error(`the token webhook answered ${statusCode}`);
  if (body.apiVersion !== `authentication.k8s.io/${version}`)
    throw new Error(`the token webhook answered in ${body.apiVersion}`);
  const { authenticated, user } = body.status;
  return authenticated
    ? { username: String(user.username), groups: [...(user.groups ?? [])].map(String) }
    : undefined;
}

/** An instance that runs with the instance profile of that name. */
export function launchWithProfile(
  { account }: DroverWorld,
  profile: string,
): { readonly id: string; readonly name: string } {
  const { Instances: [instance] = [] } = account.ec2.operations.RunInstances({
    MinCount: 1,
    MaxCount: 1,
    ImageId: 'ami-0123456789abcdef0',
    InstanceType: 'm5.large',
    IamInstanceProfile: { Arn: `arn:aws:iam::123456789012:instance-profile/${profile}` },
  });
  return { id: instance?.InstanceId ?? '', name: instance?.PrivateDnsName ?? '' };
}
