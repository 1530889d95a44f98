import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPageServer, type PageServer } from '../../../cli/ui/server.ts';
import { createBroadcast } from '../../../ui/server/broadcast.ts';
import { pageFiles } from '../../../ui/server/page-files.ts';
import { state } from '../../ui/states.ts';
import { ask } from './run-ui.ts';

const token = 'secret-part-of-the-address';
const faults: unknown[] = [];
let fails: Error | undefined;
let isEmpty = false;
let server: PageServer;

const open = (port: number): Promise<PageServer> => {
  const onFault = (error: unknown): void => void faults.push(error);
  return openPageServer({
    port,
    token,
    files: pageFiles(),
    broadcast: createBroadcast({ read: () => state(), repeat: () => () => undefined, onFault }),
    read: () => {
      if (fails) return Promise.reject(fails);
      return Promise.resolve(isEmpty ? undefined : state({ clusterName: 'prod' }));
    },
    onFault,
  });
};

beforeEach(async () => {
  faults.length = 0;
  fails = undefined;
  isEmpty = false;
  server = await open(0);
});
afterEach(() => server.close());

/** Sends bytes, and reads until the server closes. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });

const origin = (): string => `http://127.0.0.1:${server.port}`;

describe('the server of the page', () => {
  it('serves the page with every file that it names, and the state', async () => {
    const { body, headers } = await ask(server.url);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const files = [...body.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, file = '']) => file);
    expect(files).toEqual(['logo.svg', 'style.css', 'main.js']);
    for (const file of files) expect((await ask(`${server.url}${file}`)).status, file).toBe(200);
    expect(JSON.parse((await ask(`${server.url}api/state`)).body)).toMatchObject({ clusterName: 'prod' });
  });

  it('listens on the loopback address only', () => {
    expect(server.url).toBe(`${origin()}/${token}/`);
  });

  it('sends a policy that lets the page load its own files only, and no address to others', async () => {
    for (const path of ['', 'api/state']) {
      const { headers } = await ask(`${server.url}${path}`);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    '/',
    '/api/state',
    '/main.js',
    '/secret-part-of-the-addresx/api/state',
    `/${token}`,
    `/x/${token}/`,
  ])('answers nothing without the secret part of the address: %s', async (path) => {
    const { status, body } = await ask(`${origin()}${path}`);
    expect(status).toBe(404);
    expect(body).toContain('Open the whole address');
    expect(body).not.toContain('prod');
  });

  it.each(['../package.json', '%2e%2e/package.json', 'main.tsx', 'api', 'api/actions'])(
    'has nothing else: %s',
    async (path) => {
      expect((await ask(`${server.url}${path}`)).status).toBe(404);
    },
  );

  it.each([
    ['a name that another site points to this machine', { host: 'evil.example' }, 421],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }, 421],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a frame without an origin', { origin: 'null' }, 403],
    [
      'a picture of another site, for which a browser sends no origin',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      403,
    ],
    ['a script of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 403],
    [
      'a frame of another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
    ],
  ])('refuses %s, although it has the whole address', async (_, headers, status) => {
    const answer = await ask(`${server.url}api/state`, { headers });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('prod');
  });

  it.each(['none', 'same-origin', 'cross-site'])(
    'answers a browser in which you open the address: %s',
    async (site) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      expect((await ask(server.url, { headers })).status).toBe(200);
    },
  );

  it('answers on a forwarded port, whose number is another one', async () => {
    const host = 'localhost:9000';
    const answer = await ask(server.url, { headers: { host, origin: `http://${host}` } });
    expect(answer.status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('only reads: %s is refused', async (method) => {
    for (const path of ['', 'api/state', 'api/events']) {
      const { status, headers } = await ask(`${server.url}${path}`, { method });
      expect(status).toBe(405);
      expect(headers['allow']).toBe('GET, HEAD');
    }
  });

  it('answers a fault of its own with 500, reports it, and goes on', async () => {
    fails = new Error('a mistake of ours');
    expect((await ask(`${server.url}api/state`)).status).toBe(500);
    expect(faults).toEqual([fails]);
    fails = undefined;
    expect((await ask(`${server.url}api/state`)).status).toBe(200);
  });

  it('says that nothing could be read yet', async () => {
    isEmpty = true;
    const { status, body } = await ask(`${server.url}api/state`);
    expect(status).toBe(503);
    expect(body).toContain('Nothing could be read yet');
  });

  it('accepts no more pages than you would open, and others again once one is closed', async () => {
    const controllers = Array.from({ length: 64 }, () => new AbortController());
    const pages: Response[] = [];
    for (const { signal } of controllers) pages.push(await fetch(`${server.url}api/events`, { signal }));
    const refused = await ask(`${server.url}api/events`);
    expect(refused.status).toBe(503);
    expect(refused.body).toContain('64 pages are open already');
    expect((await ask(server.url)).status).toBe(200);
    // Kept until here: fetch ends a connection whose response the garbage collector has taken.
    expect(pages.map(({ status }) => status)).toEqual(controllers.map(() => 200));
    for (const controller of controllers) controller.abort();
    await expect
      .poll(async () => {
        const controller = new AbortController();
        const { status } = await fetch(`${server.url}api/events`, { signal: controller.signal });
        controller.abort();
        return status;
      })
      .toBe(200);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    ['headers without an end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header'],
    ['two lengths', 'GET / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400 Bad Request'],
    ['no host', 'GET / HTTP/1.0\r\n\r\n', '421 Misdirected Request'],
    ['the address of a proxy', 'GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\n\r\n', '421'],
  ])('refuses %s, and goes on', async (_, bytes, answer) => {
    expect(await exchange(server.port, bytes)).toContain(answer);
    expect((await ask(server.url)).status).toBe(200);
    expect(faults).toEqual([]);
  });

  it('ends with open pages', async () => {
    const response = await fetch(`${server.url}api/events`);
    await server.close();
    await expect(response.text()).rejects.toThrow();
  });

  it('says what to do where the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(open(port)).rejects.toThrow(
      `port ${port} is taken by another program: give --port another number, or leave it out`,
    );
  });
});
