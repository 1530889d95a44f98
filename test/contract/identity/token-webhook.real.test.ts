import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { freePort } from '@drover/cloud-sandbox/real/free-port.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { webhookFlags, webhookKubeconfig } from '../../../cli/token/webhook-config.ts';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import {
  askWebhook,
  iamToken,
  launchWithProfile,
  mappingParameter,
  putParameter,
  roleNamed,
  secretParameter,
  webhookSecret,
} from '../../../local/world/identity-world.ts';

const claim = (behaviour: string) => ({
  meta: { claim: { area: 'Token webhook', behaviour, world: `kube-apiserver ${kubernetes.version}` } },
});
const isMissing = kubernetes.missing !== undefined || !chosenEtcd.isInstalled;
const directory = mkdtempSync(join(tmpdir(), 'token-webhook-'));
let world: DroverWorld;
let webhook: Server;
let reviews = 0;
let controlPlane: ControlPlane;
let admin: ClusterAdmin;

const mapping = `
mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/dev
    username: dev:{{SessionName}}
    groups: [devs]
  - rolearn: arn:aws:iam::123456789012:role/node
    username: system:node:{{EC2PrivateDNSName}}
    groups: [system:bootstrappers, system:nodes]
`;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  reviews += 1;
  const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const { statusCode, body } = await askWebhook(world, await text(request), { bearer });
  response.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The function of the simulated account, on a port of this machine, with the certificate of the API server: a client sends its bearer token only over TLS. */
async function serveWebhook(port: number): Promise<Server> {
  const { servingCertificate, servingKey } = controlPlane.files;
  const tls = { cert: readFileSync(servingCertificate), key: readFileSync(servingKey) };
  const server = createServer(tls, (request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

const request = (method: 'GET' | 'POST', path: string, { token, body }: { token: string; body?: object }) =>
  admin.sendHttp({
    method,
    url: `${admin.server}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMilliseconds: 40_000,
  });

/** The user that the API server finds for a token; only the status if it finds none. */
async function whoIs(token: string) {
  const kind = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const { status, body } = await request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    token,
    body: kind,
  });
  return status === 201 ? JSON.parse(body).status.userInfo : status;
}

const createNode = (token: string, name: string) =>
  request('POST', '/api/v1/nodes', {
    token,
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name } },
  });

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(isMissing)('the token webhook in the chain of a real API server', () => {
  beforeAll(async () => {
    world = createDroverWorld();
    putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
    putParameter(world, mappingParameter, mapping);
    const port = await freePort();
    const cluster = join(directory, 'cluster');
    const file = join(directory, 'token-webhook.yaml');
    const kubeconfig = parseDocument(
      webhookKubeconfig({ url: `https://127.0.0.1:${port}/token-review`, secret: webhookSecret }),
    );
    // On AWS the certificate is one of a public authority.
    kubeconfig.setIn(['clusters', 0, 'cluster', 'certificate-authority'], join(cluster, 'ca.crt'));
    writeFileSync(file, kubeconfig.toString());
    const apiServerFlags = [...webhookFlags(file), '--authentication-token-webhook-cache-ttl=1s'];
    controlPlane = await startControlPlane({
      directory: cluster,
      withScheduler: false,
      controllers: [],
      apiServerFlags,
    });
    admin = adminOf(controlPlane);
    webhook = await serveWebhook(port);
  });

  afterAll(async () => {
    await controlPlane?.stop();
    webhook?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test(
    'a user with an IAM role has access by the mapping, and loses it with the mapping',
    claim('a user with an IAM role has access by the mapping, and loses it with the mapping'),
    async () => {
      const token = await iamToken(world, { roleName: 'dev', sessionName: 'ann@example.com' });
      expect(await whoIs(token)).toMatchObject({
        username: 'dev:ann-example.com',
        uid: expect.stringMatching(/^aws-iam-authenticator:123456789012:AROA/),
        groups: ['devs', 'system:authenticated'],
        extra: { canonicalArn: ['arn:aws:iam::123456789012:role/dev'] },
      });
      putParameter(world, mappingParameter, 'mapRoles: []');
      await world.timeline.pass(31);
      // The API server keeps each answer of an authenticator for ten seconds, beside the webhook's own cache.
      await pause(11_500);
      expect(await whoIs(token)).toBe(401);
      putParameter(world, mappingParameter, mapping);
      await world.timeline.pass(31);
    },
  );

  test(
    'strangers stay out: another role, another cluster, another bearer',
    claim('strangers stay out: another role, another cluster, another bearer'),
    async () => {
      expect(await whoIs(await iamToken(world, { roleName: 'other', sessionName: 'eve' }))).toBe(401);
      expect(
        await whoIs(await iamToken(world, { roleName: 'dev', sessionName: 'eve', cluster: 'other' })),
      ).toBe(401);
      expect(await whoIs('eyJhbGciOiJSUzI1NiJ9.e30.x')).toBe(401);
    },
  );

  test(
    'whom another authenticator knows, the webhook is not asked for',
    claim('whom another authenticator knows, the webhook is not asked for'),
    async () => {
      const before = reviews;
      expect(await whoIs(admin.token)).toMatchObject({ groups: expect.arrayContaining(['system:masters']) });
      expect(reviews).toBe(before);
    },
  );

  test(
    'a node is one under NodeRestriction: it registers itself and no other',
    claim('a node is one under NodeRestriction: it registers itself and no other'),
    async () => {
      roleNamed(world, 'node');
      const { id, name } = launchWithProfile(world, 'node');
      const token = await iamToken(world, { roleName: 'node', sessionName: id });
      expect(await whoIs(token)).toMatchObject({
        username: `system:node:${name}`,
        groups: ['system:bootstrappers', 'system:nodes', 'system:authenticated'],
        extra: { 'drover.dev/instance-id': [id] },
      });
      expect((await createNode(token, 'ip-10-9-9-9.eu-west-1.compute.internal')).status).toBe(403);
      expect((await createNode(token, name)).status).toBe(201);
      const stranger = await iamToken(world, { roleName: 'node', sessionName: 'i-0fffffffffffffff0' });
      expect(await whoIs(stranger)).toBe(401);
    },
  );
});
