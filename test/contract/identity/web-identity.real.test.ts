import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { createPem } from '../../../local/world/certificates/requests.ts';
import { webIdentityAuthenticator } from '../../../shared/identity/web-identity/authenticator.ts';
import { authenticationConfiguration } from '../../../shared/identity/web-identity/merge.ts';
import { createCliWorld } from '../../cli/support.ts';
import { eventually } from '../../support/eventually.ts';
import { serveIssuer } from '../../support/issuer-server.ts';
import { createWebIdentityAccount, type WebIdentityAsk } from '../../support/web-identity-world.ts';
import { decideFor, grantBootstrap, nameOf } from './approver.ts';

const says = (behaviour: string) => ({
  meta: { claim: { area: 'Web identity tokens', behaviour, world: `kube-apiserver ${kubernetes.version}` } },
});
const claim = (behaviour: string) => [behaviour, says(behaviour)] as const;

const isMissing = kubernetes.missing !== undefined || !chosenEtcd.isInstalled;
const directory = mkdtempSync(join(tmpdir(), 'web-identity-'));
const file = join(directory, 'authentication.yaml');
const clock = { now: () => Date.now() };
const account = createWebIdentityAccount({ clock });
const foreignAccount = createWebIdentityAccount({ clock, accountId: '999999999999', seed: 2 });
const [own, other] = ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'];
const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;

let issuer: Awaited<ReturnType<typeof serveIssuer>>;
let controlPlane: ControlPlane;
let admin: ClusterAdmin;
let approver: string;

/** The file, as drover auth-config prints it. */
async function printed(...flags: readonly string[]): Promise<string> {
  const mapping = JSON.stringify({
    mapRoles: [
      { rolearn: role('teams/dev'), username: "dev d'or", groups: ['devs', 'viewers'] },
      { rolearn: role('masters'), username: 'masters', groups: ['system:masters'] },
    ],
    mapUsers: [{ userarn: 'arn:aws:iam::123456789012:user/bob', username: 'bob' }],
  });
  const files: Readonly<Record<string, string>> = { mapping, 'ca.crt': issuer.certificateAuthority, oidc };
  const { run } = createCliWorld({ context: { readFile: async (path) => files[path] ?? '' } });
  const line = `auth-config --cluster prod --issuer ${account.issuerUrl} --mapping mapping
    --discovery-url ${issuer.discoveryUrl} --certificate-authority ca.crt --person ann=${role('ann')}
    --node-role worker=${role('worker')} --node-role control-plane=${role('control-plane')}`;
  const { out, code } = await run(...line.split(/\s+/), ...flags);
  if (code !== 0) throw new Error('drover auth-config failed');
  return out;
}

/** The file of an API server that trusts another OIDC provider already. */
const oidc = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
  - issuer:
      url: https://login.example.com
      audiences: [kubernetes]
    claimMappings:
      username: {claim: sub, prefix: 'https://login.example.com#'}
      groups: {claim: groups, prefix: ''}
    claimValidationRules:
      - {claim: hd, requiredValue: example.com}
`;

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: object;
}

const call = async (token: string, path: string, { method = 'GET', body }: Call = {}) =>
  await admin.sendHttp({
    method,
    url: `${admin.server}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMilliseconds: 40_000,
  });

/** The user that the API server finds for a token; only the status if it finds none. */
async function whoIs(token: string) {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await call(token, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    body,
  });
  return answer.status === 201 ? JSON.parse(answer.body).status.userInfo : answer.status;
}

const whoAsks = (ask: WebIdentityAsk) => whoIs(account.token(ask));

const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Asks for a client certificate of a node of this name. */
async function askFor(token: string, nodeName: string, requestName: string) {
  const pem = await createPem({ subject: `O=system:nodes,CN=system:node:${nodeName}` });
  return await call(token, requestsPath, {
    method: 'POST',
    body: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: requestName },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
      },
    },
  });
}

const conditionsOf = async (name: string) =>
  JSON.parse((await requestOf(admin, { method: 'GET', path: `${requestsPath}/${name}` })).body).status
    .conditions ?? [];

const decide = () => decideFor({ controlPlane, admin, approver }, [own, other]);

describe.skipIf(isMissing)('a real API server with what drover auth-config prints', () => {
  beforeAll(async () => {
    issuer = await serveIssuer(account.issuer);
    writeFileSync(file, await printed('--merge', 'oidc'));
    controlPlane = await startControlPlane({
      directory: join(directory, 'cluster'),
      withScheduler: false,
      controllers: ['csrsigning'],
      apiServerFlags: [`--authentication-config=${file}`],
    });
    admin = adminOf(controlPlane);
    approver = await grantBootstrap(admin);
    // It reads the discovery document after its start.
    await eventually(async () => {
      if ((await whoAsks({ roleName: 'ann' })) === 401) throw new Error('it knows no token yet');
    });
  });

  afterAll(async () => {
    await controlPlane?.stop();
    issuer?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test(...claim('people log in by their IAM role or user, with the groups of the mapping'), async () => {
    const dev = {
      username: "dev d'or",
      groups: ['devs', 'viewers', 'system:authenticated'],
      extra: { 'drover.dev/principal-arn': [role('dev')] },
    };
    for (const algorithm of ['RS256', 'ES384'] as const)
      expect(await whoAsks({ roleName: 'dev', algorithm })).toMatchObject(dev);
    expect(await whoAsks({ roleName: 'teams/dev' })).toMatchObject({ username: "dev d'or" });
    expect(await whoAsks({ userName: 'bob' })).toMatchObject({
      username: 'bob',
      groups: ['system:authenticated'],
    });
  });

  test(
    ...claim('an instance is a bootstrap user of its role, with its id in extra, and never a node'),
    async () => {
      for (const roleName of ['worker', 'control-plane'])
        expect(await whoAsks({ roleName, instanceId: own })).toMatchObject({
          username: `drover:instance:${own}`,
          groups: [`system:bootstrappers:drover:${roleName}`, 'system:authenticated'],
          extra: { 'drover.dev/instance-id': [own], 'drover.dev/principal-arn': [role(roleName)] },
        });
      // The role of a user maps to this user on an instance too.
      const ann = await whoAsks({ roleName: 'ann', instanceId: own });
      expect([ann.username, ann.extra['drover.dev/instance-id']]).toEqual(['ann', undefined]);
    },
  );

  const strangers: readonly (readonly [string, () => string])[] = [
    ['an unmapped role', () => account.token({ roleName: 'reader' })],
    ['a role whose name begins like ours', () => account.token({ roleName: 'worker2', instanceId: own })],
    ['a role whose name ours begins like', () => account.token({ roleName: 'work', instanceId: own })],
    ['the path of ours with another name', () => account.token({ roleName: 'teams/worker2' })],
    ['a user named as a role of ours', () => account.token({ userName: 'ann' })],
    ['a role that would be in system:masters', () => account.token({ roleName: 'masters' })],
    ['another audience', () => account.token({ roleName: 'ann', audience: 'drover:other' })],
    ['the role of nodes without an instance', () => account.token({ roleName: 'worker' })],
    ['IMDSv1', () => account.token({ roleName: 'worker', instanceId: own, roleDelivery: '1.0' })],
    [
      'an instance of another account',
      () => account.token({ roleName: 'worker', instanceId: own, instanceAccount: '999999999999' }),
    ],
    ['an instance id that is none', () => account.token({ roleName: 'worker', instanceId: 'i-1/x' })],
    ['another account’s issuer', () => foreignAccount.token({ roleName: 'ann' })],
    [
      'our issuer’s name with another key',
      () => {
        const [header, payload] = account.token({ roleName: 'ann' }).split('.');
        return `${header}.${payload}.${foreignAccount.token({ roleName: 'ann' }).split('.')[2]}`;
      },
    ],
    [
      'another account in the claims',
      () =>
        account.issuer.sign(
          { ...claimsOf(account.token({ roleName: 'ann' })), [sts]: { aws_account: '999999999999' } },
          'ES384',
        ),
    ],
    [
      'no claims of STS at all',
      () =>
        account.issuer.sign({ ...claimsOf(account.token({ roleName: 'ann' })), [sts]: undefined }, 'ES384'),
    ],
    [
      'no subject',
      () => account.issuer.sign({ ...claimsOf(account.token({ roleName: 'ann' })), sub: undefined }, 'ES384'),
    ],
    [
      'a time that is over',
      () =>
        account.issuer.sign(
          { ...claimsOf(account.token({ roleName: 'ann' })), exp: Math.floor(Date.now() / 1000) - 1 },
          'ES384',
        ),
    ],
  ];

  test(
    ...claim(
      'strangers stay out: other roles, accounts, audiences, issuers and keys, IMDSv1, and after the end',
    ),
    async () => {
      const answers = await Promise.all(strangers.map(async ([what, token]) => [what, await whoIs(token())]));
      expect(answers).toEqual(strangers.map(([what]) => [what, 401]));
    },
  );

  test(...claim('a token that was good is not once its time is over'), async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const short = account.issuer.sign(
      { ...claimsOf(account.token({ roleName: 'ann' })), exp: seconds + 3 },
      'ES384',
    );
    expect(await whoIs(short)).toMatchObject({ username: 'ann' });
    await expect.poll(() => whoIs(short), { interval: 1000 }).toBe(401);
  });

  test(...claim('an instance may make and read certificate requests, and nothing else'), async () => {
    const token = account.token({ instanceId: own });
    expect((await call(token, requestsPath)).status).toBe(200);
    const forbidden: readonly (readonly [string, Call?])[] = [
      ['/api/v1/nodes'],
      [
        '/api/v1/nodes',
        { method: 'POST', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: nameOf(own) } } },
      ],
      ['/api/v1/secrets'],
      ['/api/v1/namespaces/kube-system/configmaps'],
      ['/api/v1/pods'],
      ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'],
      [requestsPath, { method: 'DELETE' }],
    ];
    for (const [path, request] of forbidden) expect((await call(token, path, request)).status).toBe(403);
    const person = account.token({ roleName: 'dev' });
    expect((await askFor(person, nameOf(own), 'by-a-person')).status).toBe(403);
  });

  test(
    ...claim('an instance gets the certificate of its own node, and none for another instance’s'),
    async () => {
      const token = account.token({ instanceId: own });
      expect((await askFor(token, nameOf(own), 'own')).status).toBe(201);
      expect((await askFor(token, nameOf(other), 'foreign')).status).toBe(201);
      expect(
        (
          await askFor(
            account.token({ instanceId: other, roleName: 'control-plane' }),
            nameOf(other),
            'other-role',
          )
        ).status,
      ).toBe(201);
      await decide();
      expect(await conditionsOf('own')).toMatchObject([{ type: 'Approved', reason: 'DroverApproved' }]);
      expect(await conditionsOf('foreign')).toMatchObject([
        { type: 'Denied', message: expect.stringContaining(`credential is that of instance ${own}`) },
      ]);
      expect(await conditionsOf('other-role')).toMatchObject([
        { type: 'Denied', message: expect.stringContaining('for role control-plane') },
      ]);
    },
  );

  test(
    ...claim('a changed file counts without a restart, and a rule with `in claims` refuses every token'),
    async () => {
      const ann = () => whoAsks({ roleName: 'ann' });
      writeFileSync(file, (await printed()).replace("'ann'", "'anna'"));
      await expect.poll(ann, { timeout: 90_000, interval: 500 }).toMatchObject({ username: 'anna' });
      const config = parseDocument(await printed());
      config.addIn(['jwt', 0, 'claimValidationRules'], { expression: "'sub' in claims" });
      writeFileSync(file, config.toString({ lineWidth: 0 }));
      await expect.poll(ann, { timeout: 90_000, interval: 500 }).toBe(401);
      expect(readFileSync(join(directory, 'cluster', 'kube-apiserver.log'), 'utf8')).toContain(
        "expression ''sub' in claims' resulted in error: no such overload",
      );
    },
  );

  test(
    ...claim(
      'no mapping can give reserved names of Kubernetes to anyone, and a whole account gets none of them',
    ),
    async () => {
      const person = (name: string, username: string, ...groups: readonly string[]) => ({
        arn: role(name),
        username,
        groups,
      });
      const jwt = webIdentityAuthenticator({
        issuerUrl: account.issuerUrl,
        discoveryUrl: issuer.discoveryUrl,
        certificateAuthority: issuer.certificateAuthority,
        audience: 'drover:prod',
        partition: 'aws',
        accountId: '123456789012',
        nodeRoles: [],
        people: [
          person('plain', 'plain'),
          person('master', 'master', 'system:masters'),
          person('node', 'system:node:x'),
          person('booter', 'booter', 'system:bootstrappers:drover:worker'),
        ],
        wholeAccount: true,
        anyMetadataVersion: false,
      });
      writeFileSync(file, authenticationConfiguration([jwt]));
      await expect
        .poll(() => whoAsks({ roleName: 'plain' }), { timeout: 90_000, interval: 500 })
        .toMatchObject({ username: 'plain' });
      for (const roleName of ['master', 'node', 'booter']) expect(await whoAsks({ roleName })).toBe(401);
      expect(await whoAsks({ roleName: 'any' })).toMatchObject({
        username: role('any'),
        groups: ['system:authenticated'],
      });
      expect(await whoIs(foreignAccount.token({ roleName: 'any' }))).toBe(401);
    },
  );
});

const sts = 'https://sts.amazonaws.com/';
const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
