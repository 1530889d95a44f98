import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { agentFor, sendHttp } from '../../../shared/net/send-http.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../../local/world/tls/${name}.pem`, import.meta.url), 'utf8');
const certificate = pem('certificate');
const key = pem('key');

let server: http.Server | undefined;

async function listen(
  made: http.Server,
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => void,
): Promise<string> {
  server = made;
  made.on('request', handle);
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(made.address() as AddressInfo).port}`;
}

const get = (url: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMilliseconds: 5000,
  ...parts,
});

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

describe('an HTTP exchange', () => {
  it('sends four requests at once, and does not count the wait for a socket', async () => {
    const waiting: (() => void)[] = [];
    const counts: number[] = [];
    const host = await listen(http.createServer(), (_, response) => {
      waiting.push(() => response.end());
    });
    const answers = Array.from({ length: 12 }, () =>
      sendHttp(get(`http://${host}/`, { timeoutMilliseconds: 1000 })),
    );
    for (let round = 0; round < 3; round += 1) {
      await sleep(400);
      counts.push(waiting.length);
      for (const answer of waiting.splice(0)) answer();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(counts).toEqual([4, 4, 4]);
  });

  it('returns status, headers and body, compressed or not', async () => {
    const host = await listen(http.createServer(), (request, response) => {
      response.writeHead(201, { 'Content-Encoding': 'gzip', 'Retry-After': '3', 'Set-Cookie': ['a', 'b'] });
      response.end(gzipSync(`${request.method} ${request.url}`));
    });
    const response = await sendHttp(get(`http://${host}/path?x=1`));
    expect(response).toMatchObject({ status: 201, body: 'GET /path?x=1' });
    expect(response.headers).toMatchObject({ 'retry-after': '3', 'set-cookie': 'a, b' });
  });

  // A client that follows sends its credential to whatever server answers for the first one (CVE-2020-8559, CVE-2022-3172).
  it.each([301, 302, 303, 307, 308])(
    'follows no redirect: %i is an answer like any other',
    async (status) => {
      const urls: string[] = [];
      const host = await listen(http.createServer(), ({ url = '' }, response) => {
        urls.push(url);
        response.writeHead(status, { location: '/elsewhere' }).end('moved');
      });
      const headers = { authorization: 'Bearer secret' };
      for (const method of ['GET', 'POST'] as const)
        expect(await sendHttp(get(`http://${host}/first`, { method, headers }))).toMatchObject({
          status,
          body: 'moved',
        });
      expect(urls).toEqual(['/first', '/first']);
    },
  );

  it('sends a body with its length', async () => {
    const host = await listen(http.createServer(), (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response.end(`${request.headers['content-length']} ${Buffer.concat(chunks).toString()}`),
      );
    });
    const response = await sendHttp(get(`http://${host}/`, { method: 'POST', body: 'pöd' }));
    expect(response.body).toBe('4 pöd');
  });

  it('is repeated if every kept connection has died silently', async () => {
    const served = new WeakSet<object>();
    const host = await listen(http.createServer(), ({ socket }, response) => {
      if (served.has(socket)) socket.destroy();
      else setImmediate(() => response.end('ok'));
      served.add(socket);
    });
    const url = `http://${host}/`;
    await Promise.all([1, 2, 3, 4].map(() => sendHttp(get(url))));
    expect((await sendHttp(get(url))).body).toBe('ok');
  });

  it('trusts only the given authority', async () => {
    const host = await listen(https.createServer({ cert: certificate, key }), (_, response) =>
      response.end('ok'),
    );
    const url = `https://${host}/`;
    await expect(sendHttp(get(url))).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await expect(sendHttp(get(url, { tls: { certificateAuthority: certificate } }))).resolves.toMatchObject({
      body: 'ok',
    });
    await expect(sendHttp(get(url, { tls: { insecureSkipVerify: true } }))).resolves.toMatchObject({
      body: 'ok',
    });
    const named = { certificateAuthority: certificate, serverName: 'api.test' };
    await expect(sendHttp(get(url, { tls: named }))).resolves.toMatchObject({ body: 'ok' });
    const misnamed = { certificateAuthority: certificate, serverName: 'other.test' };
    await expect(sendHttp(get(url, { tls: misnamed }))).rejects.toThrow(/other\.test/);
  });

  it('sends its client certificate, and shares no connection with another identity', async () => {
    const mutual = https.createServer({
      cert: certificate,
      key,
      ca: certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const host = await listen(mutual, (request, response) => {
      const { socket } = request as { socket: { authorized?: boolean } };
      response.end(String(socket.authorized));
    });
    const tls = { certificateAuthority: certificate };
    const known = { ...tls, clientCertificate: certificate, clientKey: key };
    expect((await sendHttp(get(`https://${host}/`, { tls: known }))).body).toBe('true');
    expect((await sendHttp(get(`https://${host}/`, { tls }))).body).toBe('false');
  });

  it('keeps connections open', async () => {
    let connections = 0;
    const host = await listen(http.createServer(), (_, response) => response.end('ok'));
    server?.on('connection', () => (connections += 1));
    await sendHttp(get(`http://${host}/`));
    await sendHttp(get(`http://${host}/`));
    expect(connections).toBe(1);
  });

  it('is repeated if the other side has closed the kept connection', async () => {
    let requests = 0;
    const host = await listen(http.createServer(), (request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('ok');
    });
    await sendHttp(get(`http://${host}/`));
    await expect(sendHttp(get(`http://${host}/`))).resolves.toMatchObject({ body: 'ok' });
    expect(requests).toBe(3);
  });

  it('is not repeated if a new connection breaks, because the other side may have begun', async () => {
    let requests = 0;
    const host = await listen(http.createServer(), ({ socket }) => {
      requests += 1;
      socket.destroy();
    });
    await expect(sendHttp(get(`http://${host}/`))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toBe(1);
  });

  it('says that an answer broke off, with the code of a broken connection', async () => {
    const host = await listen(http.createServer(), (_, response) => {
      response.setHeader('content-length', 1000).write('half', () => response.destroy());
    });
    await expect(sendHttp(get(`http://${host}/`))).rejects.toMatchObject({
      message: 'the connection broke in the middle of the answer (ECONNRESET)',
      code: 'ECONNRESET',
    });
  });

  it('times out before the answer and in the middle of it', async () => {
    const host = await listen(http.createServer(), (request, response) => {
      if (request.url === '/half') response.write('half');
    });
    const soon = { timeoutMilliseconds: 50 };
    const late = { name: 'TimeoutError', message: 'no answer within 50 ms' };
    await expect(sendHttp(get(`http://${host}/never`, soon))).rejects.toMatchObject(late);
    await expect(sendHttp(get(`http://${host}/half`, soon))).rejects.toMatchObject(late);
  });

  it('reads a body that takes longer than the limit of a silence, but comes', async () => {
    const host = await listen(http.createServer(), (_, response) => {
      const pieces = ['one ', 'two ', 'three ', 'four'];
      const send = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setTimeout(send, 500));
      };
      send();
    });
    const { body } = await sendHttp(
      get(`http://${host}/`, { timeoutMilliseconds: 1500, timeoutOf: 'silence' }),
    );
    expect(body).toBe('one two three four');
  });

  it('gives up after a silence, before the answer and in the middle of it', async () => {
    const host = await listen(http.createServer(), (request, response) => {
      if (request.url === '/half') response.write('half');
    });
    const soon = { timeoutMilliseconds: 50, timeoutOf: 'silence' } as const;
    const late = { name: 'TimeoutError', message: 'no byte within 50 ms' };
    await expect(sendHttp(get(`http://${host}/never`, soon))).rejects.toMatchObject(late);
    await expect(sendHttp(get(`http://${host}/half`, soon))).rejects.toMatchObject(late);
  });

  it('ends an answer that drips without a silence, at the limit of the whole exchange', async () => {
    const host = await listen(http.createServer(), (_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const dripping = { timeoutMilliseconds: 1500, timeoutOf: 'silence', longestMilliseconds: 2000 } as const;
    await expect(sendHttp(get(`http://${host}/`, dripping))).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'no answer within 2000 ms',
    });
  });

  it('keeps no limit of a request on a connection that the next one uses', async () => {
    const host = await listen(http.createServer(), (_, response) => response.end('ok'));
    const soon = get(`http://${host}/`, { timeoutMilliseconds: 50, timeoutOf: 'silence' });
    const limitsOfFreeSocket = () => {
      const [socket] = Object.values(agentFor(new URL(`http://${host}/`)).freeSockets).flat();
      return [socket?.timeout, socket?.listenerCount('timeout')];
    };
    await sendHttp(get(`http://${host}/`));
    const before = limitsOfFreeSocket();
    for (let count = 0; count < 20; count += 1) await sendHttp(soon);
    expect(limitsOfFreeSocket()).toEqual([0, before[1]]);
  });

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(100_000_000, 'x'), { level: 1 })],
    ['plain', {}, Buffer.alloc(9_000_000, 'x')],
  ])('refuses a %s answer that is longer than the request takes', async (_, headers, answer) => {
    const host = await listen(http.createServer(), (__, response) => {
      response.writeHead(200, headers);
      response.end(answer);
    });
    const error: unknown = await sendHttp(get(`http://${host}/`, { longestAnswerBytes: 8_000_000 })).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ name: 'LongAnswerError', message: 'the answer exceeds 8000000 bytes' });
  });

  it('refuses an answer that cannot be decompressed', async () => {
    const host = await listen(http.createServer(), (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('not packed');
    });
    await expect(sendHttp(get(`http://${host}/`))).rejects.toThrow('cannot be decompressed');
  });

  it('allows http only to this machine', async () => {
    await expect(sendHttp(get('http://192.0.2.1/'))).rejects.toThrow(/use https/);
  });

  it('names the server to which no connection can be made, also where its name has several addresses', async () => {
    for (const host of ['127.0.0.1:1', 'localhost:1'])
      await expect(sendHttp(get(`http://${host}/`))).rejects.toMatchObject({
        code: 'ECONNREFUSED',
        message: `no connection to ${host} (ECONNREFUSED)`,
      });
  });
});
