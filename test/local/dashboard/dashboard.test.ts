import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type HttpDoor, openHttpDoor } from '@drover/cloud-sandbox/wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDashboard } from '../../../local/dashboard/dashboard.ts';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';

let world: DroverWorld;
let door: HttpDoor;
let instanceId: string;
const faults: unknown[] = [];

/** What has been asked to be done again and again, which the tests do by hand. */
const repeated = new Set<() => void>();
const look = (): void => {
  for (const task of repeated) task();
};

beforeEach(async () => {
  world = createDroverWorld();
  [instanceId = ''] = await withWorkers(world, { size: 1 });
  faults.length = 0;
  const answer = createDashboard({
    cloud: world,
    clock: world.clock,
    onFault: (fault) => faults.push(fault),
    recent: () => ({ passes: [], news: [] }),
    repeat: (_, task) => {
      repeated.add(task);
      return () => repeated.delete(task);
    },
  });
  door = await openHttpDoor({ port: 0, answer, onFault: (fault) => faults.push(fault) });
});

afterEach(async () => {
  await door.close();
  expect(faults).toEqual([]);
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Not fetch, which sets Host and Origin itself. */
const ask = (
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(`${door.url}${path}`, { method, headers: { ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });

const press = (action: unknown, headers: object = {}) =>
  ask('/api/actions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof action === 'string' ? action : JSON.stringify({ cluster: 'drover', ...(action as object) }),
  });

/** Reads server-sent events as they come. */
async function listen() {
  const controller = new AbortController();
  const response = await fetch(`${door.url}/api/events`, { signal: controller.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    next: async (): Promise<{ event: string; data: unknown }> => {
      while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '\n\n';
      const [message = '', ...rest] = text.split('\n\n');
      text = rest.join('\n\n');
      const [event = '', data = ''] = message.split('\n').map((line) => line.replace(/^\w+: /, ''));
      return { event, data: JSON.parse(data) };
    },
    leave: () => controller.abort(),
  };
}

describe('the page', () => {
  it('is served with every file that it names', async () => {
    const { body, headers } = await ask('/');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const files = [...body.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, file]) => `/${file}`);
    expect(files).toEqual(['/logo.svg', '/style.css', '/main.js']);
    for (const file of files) expect(await ask(file), file).toMatchObject({ status: 200 });
  });

  it('is at most 100 KB to load, compressed', async () => {
    const sizes = await Promise.all(
      ['/', '/style.css', '/main.js'].map(async (file) => gzipSync((await ask(file)).body).length),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
  });

  it('may load only its own files, and cannot be framed', async () => {
    const policy = String((await ask('/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it.each(['/nothing', '/../package.json', '/%2e%2e/package.json', '/tsconfig.json', '/main.tsx'])(
    'is all that there is: %s is not found',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it('accepts reads only', async () => {
    expect(await ask('/', { method: 'PUT' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await ask('/api/events', { method: 'HEAD' })).toMatchObject({ status: 405 });
    expect(await ask('/api/actions')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  it('is refused under a foreign host name', async () => {
    expect((await ask('/api/state', { headers: { host: 'evil.example:80' } })).status).toBe(421);
    expect((await ask('/api/state', { headers: { host: 'localhost:1' } })).status).toBe(200);
  });
});

describe('the state', () => {
  it('is served as JSON', async () => {
    const { body } = await ask('/api/state');
    expect(JSON.parse(body)).toMatchObject({ groups: [{ instances: [{ instanceId }] }] });
  });

  it('is sent at once to a listener, and again only when it has changed', async () => {
    const events = await listen();
    expect(await events.next()).toMatchObject({
      event: 'state',
      data: { groups: [{ desiredCapacity: 1 }] },
    });
    await world.timeline.pass(1);
    look();
    expect(await events.next()).toEqual({ event: 'time', data: { now: world.clock.now() } });
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 2,
    });
    look();
    expect(await events.next()).toMatchObject({
      event: 'state',
      data: { groups: [{ desiredCapacity: 2 }] },
    });
    events.leave();
  });

  it('is computed only while a client listens', async () => {
    expect(repeated.size).toBe(0);
    const events = await listen();
    await events.next();
    expect(repeated.size).toBe(1);
    events.leave();
    await expect.poll(() => repeated.size).toBe(0);
  });
});

describe('a button', () => {
  it('has its effect, which is visible at once', async () => {
    const events = await listen();
    await events.next();
    const { status, body } = await press({ action: 'terminate', instanceId });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ done: expect.stringContaining(instanceId) });
    expect(stateOf(world, instanceId)).toMatch(/^Terminating/);
    expect((await events.next()).event).toBe('state');
    events.leave();
  });

  it('reports the refusal of AWS', async () => {
    const { status, headers, body } = await press({ action: 'interrupt', instanceId });
    expect(status).toBe(409);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ detail: expect.stringContaining(instanceId) });
  });

  it('may be used from the page', async () => {
    expect((await press({ action: 'kill', instanceId }, { origin: door.url })).status).toBe(200);
  });

  it.each(['staging', 'Drover', ''])('of a page that shows cluster %j does nothing', async (cluster) => {
    const { status, body } = await press({ action: 'kill', instanceId, cluster });
    expect([status, body]).toEqual([409, expect.stringContaining('load the page again')]);
    expect(world.account.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  it('does nothing if it does not name the cluster', async () => {
    expect((await press(JSON.stringify({ action: 'kill', instanceId }))).status).toBe(400);
    expect(world.account.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  it.each(['https://evil.example', 'http://127.0.0.1:1', 'null'])(
    'may not be pressed by a page of %s',
    async (origin) => {
      expect((await press({ action: 'kill', instanceId }, { origin })).status).toBe(403);
      expect(world.account.ec2.instances.find(instanceId)?.state).toBe('running');
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json5'])(
    'refuses %s, which is not the content type of a form',
    async (contentType) => {
      expect((await press({ action: 'kill', instanceId }, { 'content-type': contentType })).status).toBe(415);
    },
  );

  it.each([
    ['no JSON', '{'],
    ['too long', JSON.stringify({ action: 'kill', instanceId: 'i'.repeat(5000) })],
    ['of no action', '{"cluster":"drover"}'],
    ['of no instance', '{"cluster":"drover","action":"kill","instanceId":"../x"}'],
  ])('whose request is %s does nothing', async (_, body) => {
    expect((await press(body)).status).toBe(400);
    expect(world.account.ec2.instances.find(instanceId)?.state).toBe('running');
  });
});
