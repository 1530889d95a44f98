import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority } from '../../real/test-authority.ts';
import { startAwsServer } from '../../src/aws/wire/server.ts';
import { serveEtcdMember } from '../../src/etcd/wire/server.ts';
import { createCertificateAuthority } from '../../src/kubernetes/wire/certificates.ts';
import { serveKubernetes } from '../../src/kubernetes/wire/server.ts';
import { openHttpDoor } from '../../src/wire/http-door.ts';
import type { LoopbackServer } from '../../src/wire/loopback-server.ts';

type Port = 'AWS' | 'Kubernetes' | 'etcd' | 'HTTP';

/** The certificates that a client of etcd shows. */
let client: { readonly cert: string; readonly key: string };
let servers: Readonly<Record<Port, LoopbackServer>>;
/** Which ports have answered a request. */
const answered: Port[] = [];

beforeAll(async () => {
  const authority = await createTestAuthority();
  const server = await authority.issue({ commonName: 'a', names: ['a.etcd.test', '127.0.0.1'] });
  const { certificate, key } = await authority.issue({ commonName: 'client', names: [] });
  client = { cert: certificate, key };
  const onFault = (error: unknown): never => {
    throw error;
  };
  servers = {
    AWS: await startAwsServer({
      port: 0,
      onFault,
      front: {
        handle: async () => {
          answered.push('AWS');
          return { statusCode: 200, headers: {}, body: '' };
        },
      },
    }),
    Kubernetes: await serveKubernetes({
      port: 0,
      authority: createCertificateAuthority(Date.now()),
      handle: async () => {
        answered.push('Kubernetes');
        return { status: 200, headers: {}, body: '' };
      },
    }),
    etcd: await serveEtcdMember({
      port: 0,
      instanceId: 'a',
      tls: { authority: authority.certificate, ...server },
      answer: async () => {
        answered.push('etcd');
        return { status: 200, headers: {}, body: [] };
      },
    }),
    HTTP: await openHttpDoor({
      port: 0,
      onFault,
      answer: async (_, response) => {
        answered.push('HTTP');
        response.end();
      },
    }),
  };
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Not fetch, which sets Host itself. */
function ask(port: Port, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { url } = servers[port];
  const tls = { ...client, rejectUnauthorized: false, agent: false } as const;
  return new Promise((resolve, reject) => {
    const call = url.startsWith('https:')
      ? requestTls(url, { ...tls, method: 'POST', headers })
      : requestPlain(url, { method: 'POST', headers });
    call.on('error', reject);
    call.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.end('{}');
  });
}

const ports: readonly Port[] = ['AWS', 'Kubernetes', 'etcd', 'HTTP'];

describe.each(ports)('the %s port', (port) => {
  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '169.254.169.254',
    '[::2]:80',
    '%',
  ])('refuses the foreign host %s and changes nothing', async (host) => {
    answered.length = 0;
    const { status, body } = await ask(port, { host });
    expect(status).toBe(421);
    expect(body).toContain('The Host header names another server.');
    expect(answered).toEqual([]);
  });

  test.each(['localhost', 'LOCALHOST:1234', '127.0.0.1:1', '[::1]', '[::1]:4566'])(
    'accepts the loopback name %s',
    async (host) => {
      expect((await ask(port, { host })).status).toBe(200);
    },
  );

  test.each(['https://evil.example', 'http://localhost:1', 'null', 'file://'])(
    'refuses a page of %s and changes nothing',
    async (origin) => {
      answered.length = 0;
      const { status, body } = await ask(port, { origin });
      expect(status).toBe(403);
      expect(body).toContain('pages of other sites');
      expect(answered).toEqual([]);
    },
  );

  test.each(['0', '.evil.example', '@evil.example'])(
    'refuses a page whose origin is its own plus the suffix %s, and changes nothing',
    async (end) => {
      answered.length = 0;
      const { status } = await ask(port, { origin: `${servers[port].url}${end}` });
      expect(status).toBe(403);
      expect(answered).toEqual([]);
    },
  );

  test.each([
    ['a picture of another site', 'cross-site', 'no-cors', 'image'],
    ['a script of another port', 'same-site', 'no-cors', 'script'],
    ['a frame of another site', 'cross-site', 'navigate', 'iframe'],
  ])('refuses %s, for which a browser sends no origin, and changes nothing', async (_, site, mode, dest) => {
    answered.length = 0;
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    const { status, body } = await ask(port, headers);
    expect(status).toBe(403);
    expect(body).toContain('pages of other sites');
    expect(answered).toEqual([]);
  });

  test('answers its own page, a typed address, and a link of another page', async () => {
    expect((await ask(port, { origin: servers[port].url })).status).toBe(200);
    for (const site of ['none', 'same-origin', 'cross-site']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      expect((await ask(port, headers)).status).toBe(200);
    }
  });
});

test('only the AWS port accepts the host name of a bucket before localhost', async () => {
  expect((await ask('AWS', { host: 'my-bucket.localhost:4566' })).status).toBe(200);
  expect((await ask('HTTP', { host: 'my-bucket.localhost:4566' })).status).toBe(421);
});

test('only the AWS port accepts the names of STS, for which tokens are signed, and of Parameter Store', async () => {
  for (const host of ['sts.amazonaws.com', 'sts.eu-west-1.amazonaws.com', 'ssm.eu-west-1.amazonaws.com']) {
    expect((await ask('AWS', { host })).status).toBe(200);
    expect((await ask('HTTP', { host })).status).toBe(421);
  }
  for (const host of ['sts.evil.example', 'ssm.eu-west-1.amazonaws.com.evil.example', 's3.amazonaws.com'])
    expect((await ask('AWS', { host })).status).toBe(421);
});

test.each([
  ['Kubernetes', 'kubernetes.default.svc', 'a.etcd.test'],
  ['etcd', 'a.etcd.test', 'kubernetes.default.svc'],
] as const)('the %s port accepts only the names of its own certificate', async (port, own, foreign) => {
  expect((await ask(port, { host: own })).status).toBe(200);
  expect((await ask(port, { host: foreign })).status).toBe(421);
});
