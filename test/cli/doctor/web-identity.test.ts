import { AwsError } from '@drover/cloud-sandbox/aws';
import { beforeEach, describe, expect, it } from 'vitest';
import { judgeWebIdentity } from '../../../cli/doctor/judge-web-identity.ts';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { putParameter } from '../../../local/world/identity-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

const ana = 'arn:aws:iam::123456789012:user/ana';
let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
});

async function findings(options: OperatorOptions = {}) {
  const { out } = await operatorOf(world, options)('doctor --json');
  return (JSON.parse(out) as DoctorReport).findings.filter(({ check }) => check === 'web-identity');
}

/** Lets the API server take tokens of the account as `drover auth-config` has it, or otherwise. */
function trust({
  audience = 'drover:drover',
  username = 'ana',
  groups = [],
  extra = true,
}: {
  readonly audience?: string;
  readonly username?: string;
  readonly groups?: readonly string[];
  readonly extra?: boolean;
} = {}): string {
  const { tokenIssuer } = world.account.iam;
  tokenIssuer.enable();
  const issuer = tokenIssuer.url() ?? '';
  world.kubernetes.trustIssuer({
    issuer,
    audiences: [audience],
    keys: () => tokenIssuer.document('/.well-known/jwks.json') as { keys: object[] },
    userOf: ({ sub }) =>
      sub === ana
        ? { username, groups: [...groups], ...(extra && { extra: { 'drover.dev/principal-arn': [ana] } }) }
        : undefined,
  });
  return issuer;
}

/** The static pod of an API server, as its kubelet shows it. */
const addApiServer = (name: string, ...flags: readonly string[]): void =>
  void world.kubernetes.registry.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'kube-system', labels: { component: 'kube-apiserver' } },
    spec: { containers: [{ name: 'kube-apiserver', image: 'x', command: ['kube-apiserver', ...flags] }] },
  });
const file = '--authentication-config=/etc/kubernetes/authentication.yaml';

describe('drover doctor on web identity', () => {
  it('is content with an account that gives out no tokens', async () => {
    expect(await findings()).toMatchObject([
      { verdict: 'ok', message: expect.stringContaining('gives out no web identity tokens') },
    ]);
  });

  it('names the command if API servers have a file, and the account gives out no tokens', async () => {
    addApiServer('kube-apiserver-a', file);
    expect(await findings()).toMatchObject([
      {
        verdict: 'advice',
        message: expect.stringContaining('neither users nor nodes can log in'),
        command: 'aws iam enable-outbound-web-identity-federation',
      },
    ]);
  });

  it('says who you are by such a token, if the API server accepts it', async () => {
    const issuer = trust();
    expect(await findings()).toMatchObject([
      {
        verdict: 'ok',
        subject: issuer,
        message: `the API server takes your web identity token, and knows you as ana, by ${ana}`,
      },
    ]);
  });

  it('prints what the file should be if the API server refuses the token', async () => {
    const issuer = trust({ audience: 'drover:another' });
    addApiServer('kube-apiserver-a', file);
    expect(await findings()).toMatchObject([
      {
        verdict: 'advice',
        subject: issuer,
        message: expect.stringContaining(`refuses your web identity token for drover:drover`),
        command: `drover auth-config --cluster drover --issuer ${issuer} --person NAME=${ana}`,
      },
    ]);
  });

  it('is content if no API server has a file, though the account gives out tokens', async () => {
    world.account.iam.tokenIssuer.enable();
    addApiServer('kube-apiserver-a');
    expect(await findings()).toMatchObject([
      { verdict: 'ok', message: expect.stringContaining('have no --authentication-config') },
    ]);
  });

  it('names the API server that has no file beside others that have', async () => {
    trust();
    addApiServer('kube-apiserver-a', file);
    addApiServer('kube-apiserver-b');
    expect(await findings()).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'fix', subject: 'kube-apiserver-b' },
    ]);
  });

  it('sees the file of an API server among the arguments of its container too, and as a word of its own', async () => {
    trust();
    const words = [file.replace(/=.*/, ''), '/etc/kubernetes/authentication.yaml'];
    world.kubernetes.registry.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'kube-apiserver-a',
        namespace: 'kube-system',
        labels: { component: 'kube-apiserver' },
      },
      spec: {
        containers: [{ name: 'kube-apiserver', image: 'x', command: ['kube-apiserver'], args: words }],
      },
    });
    addApiServer('kube-apiserver-b', file);
    expect(await findings()).toMatchObject([{ verdict: 'ok' }]);
  });

  it('logs in all the same if it may not list the pods of API servers', async () => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
    world = createDroverWorld({
      weather: {
        strike: ({ what }) =>
          what.startsWith('GET /api/v1/namespaces/kube-system/pods')
            ? { kind: 'http-answer', status: 403, body }
            : undefined,
      },
    });
    const issuer = trust();
    expect(await findings()).toMatchObject([{ verdict: 'ok', subject: issuer }]);
  });

  it('names rules that are not those of drover auth-config', async () => {
    trust({ extra: false });
    expect(await findings()).toMatchObject([
      { verdict: 'advice', message: expect.stringContaining('without drover.dev/principal-arn') },
    ]);
    trust({ username: 'system:admin' });
    expect(await findings()).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('with system:admin') },
    ]);
    trust({ groups: ['developers', 'system:masters'] });
    expect(await findings()).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('with system:masters') },
    ]);
  });

  it('tries no login with a session that ends before the token would', async () => {
    const error = new AwsError({
      code: 'SessionDurationEscalationException',
      message: 'The session ends before the token.',
      statusCode: 403,
    });
    world = createDroverWorld({
      weather: {
        strike: ({ what }) => (what === 'sts GetWebIdentityToken' ? { kind: 'aws-error', error } : undefined),
      },
    });
    trust();
    expect(await findings()).toMatchObject([
      { verdict: 'advice', message: expect.stringMatching(/was tried: The session ends before the token/) },
    ]);
  });

  it('says which right is missing, and looks at nothing else', async () => {
    trust();
    const without = (...left: readonly string[]) =>
      findings({ actions: ['autoscaling:*', 'ssm:*', 'kms:*', 'sqs:*', 'events:*', 'lambda:*', ...left] });
    expect(await without()).toMatchObject([
      { verdict: 'advice', message: expect.stringContaining('iam:GetOutboundWebIdentityFederationInfo') },
    ]);
    expect(await without('iam:*')).toMatchObject([
      { verdict: 'advice', message: expect.stringMatching(/no login .* was tried: .*GetWebIdentityToken/) },
    ]);
  });

  it.each([
    ['fail-before', 'iam GetOutboundWebIdentityFederationInfo'],
    ['fail-before', 'sts GetWebIdentityToken'],
    ['fail-before', 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews'],
    ['hang-before', 'iam GetOutboundWebIdentityFederationInfo'],
    ['hang-before', 'sts GetWebIdentityToken'],
    ['hang-before', 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews'],
  ] as const)('knows nothing after %s of %s', async (kind, call) => {
    let isAway = false;
    world = createDroverWorld({
      weather: {
        strike: ({ what }) => (isAway && what.toLowerCase() === call.toLowerCase() ? { kind } : undefined),
      },
    });
    trust();
    isAway = true;
    const asked = findings();
    await world.timeline.pass(300);
    expect(await asked).toMatchObject([{ verdict: 'unknown' }]);
  });

  it('shows the token without the client certificate of Drover’s kubeconfig, which would count first', async () => {
    const issuer = trust();
    const data = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');
    putParameter(
      world,
      '/drover/drover/kubeconfig',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'drover',
        clusters: [{ name: 'c', cluster: { server: 'https://kubernetes.example.com' } }],
        users: [{ name: 'u', user: { 'client-certificate-data': data, 'client-key-data': data } }],
        contexts: [{ name: 'drover', context: { cluster: 'c', user: 'u' } }],
      }),
      'SecureString',
    );
    const { sendHttp } = world.doors('operator');
    const certificates: unknown[] = [];
    // The certificate is that of no authority here: what it would open, the administrator does.
    const found = await findings({
      sendHttp: ({ tls = {}, headers, ...request }) => {
        const isOfCaller = headers['authorization']?.startsWith('Bearer eyJ') === true;
        if (isOfCaller) certificates.push(tls.clientCertificate);
        const authorization = headers['authorization'] ?? `Bearer ${world.kubernetes.adminToken}`;
        return sendHttp({ ...request, headers: { ...headers, authorization } });
      },
    });
    expect(found).toMatchObject([{ verdict: 'ok', subject: issuer }]);
    expect(certificates).toEqual([undefined]);
  });

  it('leaves nothing of the token in what it prints', async () => {
    trust({ audience: 'drover:another' });
    const { out } = await operatorOf(world)('doctor');
    expect(out).toContain('web-identity');
    expect(out).not.toMatch(/eyJ/);
  });

  it('has no such check on EKS, nor where IAM has no such feature', () => {
    const [eks] = judgeWebIdentity({ kind: 'eks', server: 'https://x.eks.amazonaws.com' });
    expect(eks).toMatchObject({ verdict: 'ok', message: expect.stringContaining('EKS') });
    const [absent] = judgeWebIdentity({ kind: 'absent', apiServers: [{ name: 'a', hasFile: true }] });
    expect(absent).toMatchObject({ verdict: 'ok', message: expect.stringContaining('no such feature') });
  });
});
