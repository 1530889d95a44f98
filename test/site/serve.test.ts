import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpDoor } from '@drover/cloud-sandbox/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSite } from '../../scripts/site/serve.ts';

describe('the server of a built site', () => {
  let folder: string;
  let door: HttpDoor;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drover-site-'));
    const directory = join(folder, 'site');
    await mkdir(join(directory, 'docs'), { recursive: true });
    await writeFile(join(directory, 'docs/index.html'), 'a page');
    await writeFile(join(folder, 'secret.txt'), 'not of the site');
    await writeFile(`${directory}-secret.txt`, 'not of the site');
    door = await serveSite({ directory, port: 0, base: '/drover/' });
  });
  afterAll(async () => {
    await door?.close();
    await rm(folder, { recursive: true });
  });

  /** Without the parser of URLs, which removes `..`. */
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request(door.url, { path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.once('error', reject).end();
    });

  it('serves the pages below its base, with their type', async () => {
    const response = await fetch(`${door.url}/drover/docs/`);
    expect(await response.text()).toBe('a page');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each([
    '/',
    '/docs/index.html',
    '/drover/docs',
    '/drover/no-such-page.html',
    '/drover/docs/index.html/more',
    '/drover/../secret.txt',
    '/drover/%2e%2e/secret.txt',
    '/drover/..%2fsecret.txt',
    '/drover/..%2fsite-secret.txt',
    '/drover/%00',
    '/drover/%E0%A4%A',
  ])('has nothing at %s', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });
});
