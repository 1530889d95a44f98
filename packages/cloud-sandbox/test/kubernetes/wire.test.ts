import { request } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCertificateAuthority } from '../../src/kubernetes/wire/certificates.ts';
import { kubeconfigText } from '../../src/kubernetes/wire/kubeconfig.ts';
import { type KubernetesServer, serveKubernetes } from '../../src/kubernetes/wire/server.ts';
import { createCluster, startNodes } from './support.ts';

const servers: KubernetesServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve() {
  const authority = createCertificateAuthority(Date.parse('2026-03-01T10:00:00Z'));
  const cluster = createCluster({ certificateAuthority: authority.certificate });
  const server = await serveKubernetes({ handle: cluster.kubernetes.handle, authority, port: 0 });
  servers.push(server);
  const admin = authority.issueClient({ username: 'admin', groups: ['system:masters'] });
  return { ...cluster, authority, server, admin };
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

type World = Awaited<ReturnType<typeof serve>>;

function send({ server, authority, admin }: World, { method = 'GET', path, headers = {}, body }: Sent) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const tls = { ca: authority.certificate, cert: admin.certificate, key: admin.key };
    const call = request(`${server.url}${path}`, { method, headers, ...tls, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

describe('the API server on the wire', () => {
  it('serves the API over TLS to clients with a certificate of the cluster', async () => {
    const world = await serve();
    startNodes(world.kubernetes, ['a']);
    const { status, body } = await send(world, { path: '/api/v1/nodes' });
    expect([status, JSON.parse(body).items[0].metadata.name]).toEqual([200, 'a']);
  });

  it('streams a watch line by line and ends it at its timeout', async () => {
    const world = await serve();
    startNodes(world.kubernetes, ['a']);
    const watching = send(world, { path: '/api/v1/nodes?watch=1&timeoutSeconds=1' });
    await expect.poll(() => world.kubernetes.requests.total().requests).toBe(1);
    world.seconds(2);
    const lines = (await watching).body.trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
  });

  it('reads the protobuf of kubectl, and refuses other protobuf with 415', async () => {
    const world = await serve();
    const text = (number: number, value: string) =>
      Buffer.from([number * 8 + 2, value.length, ...Buffer.from(value)]);
    const wrapped = (number: number, value: Buffer) =>
      Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
    const envelope = (kind: string) =>
      Buffer.concat([
        Buffer.from('k8s\0'),
        wrapped(1, Buffer.concat([text(1, 'v1'), text(2, kind)])),
        wrapped(2, wrapped(1, text(1, 'made'))),
      ]);
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const post = (body: Buffer) => send(world, { method: 'POST', path: '/api/v1/namespaces', headers, body });
    const made = await post(envelope('Namespace'));
    expect([made.status, JSON.parse(made.body).metadata.name]).toEqual([201, 'made']);
    expect((await post(envelope('Unheard'))).status).toBe(415);
    expect((await post(Buffer.from('k8s\0\xff\xff'))).status).toBe(415);
  });

  it('refuses a body that is too large', async () => {
    const world = await serve();
    const body = 'x'.repeat(4 * 1024 * 1024);
    const answer = await send(world, { method: 'POST', path: '/api/v1/namespaces', body });
    expect(answer.status).toBe(413);
  });

  it('provides a kubeconfig', async () => {
    const { authority, server, admin } = await serve();
    const text = kubeconfigText({
      clusterName: 'drover',
      server: server.url,
      certificateAuthority: authority.certificate,
      user: admin,
    });
    const config = parse(text);
    expect(config['current-context']).toBe('drover');
    expect(Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString()).toBe(
      authority.certificate,
    );
  });
});
