import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpDoor } from '@drover/cloud-sandbox/wire';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildSite } from '../../scripts/site/build.ts';
import { checkSite } from '../../scripts/site/check/check-site.ts';
import { outputOf, pages } from '../../scripts/site/content/pages.ts';
import { version } from '../../scripts/site/content/version.ts';
import { serveSite } from '../../scripts/site/serve.ts';
import { axeViolations } from '../local/dashboard/browser/support/axe.ts';
import { missing as noChromium, openChromium } from '../local/dashboard/browser/support/chromium.ts';
import { searchTerms } from './support/search-terms.ts';

const generator = join(import.meta.dirname, '../../scripts/site/node_modules/@11ty/eleventy');
const missing = existsSync(generator) ? noChromium : ', which needs its generator: npm run site';
const desktop = { width: 1360, height: 1000 };
const phone = { width: 360, height: 780 };
const repository = 'https://git.example/team/drover/blob/main/';

describe.skipIf(missing !== '')(`the site in Chromium${missing}`, () => {
  let browser: Browser;
  let directory: string;
  let door: HttpDoor;
  let page: Page;
  const faults: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'drover-site-'));
    await buildSite({ directory, repository });
    // Below a path, as GitHub Pages has the sites of repositories.
    door = await serveSite({ directory, port: 0, base: '/drover/' });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await door?.close();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });
  beforeEach(async () => {
    faults.length = 0;
    foreign.length = 0;
    page = await browser.newPage({ viewport: desktop });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => faults.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${door.url}/drover/`)) foreign.push(request.url());
    });
  });
  afterEach(async () => {
    await page.close();
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  const open = (path: string) => page.goto(`${door.url}/drover/${path}`);
  const built = (): readonly string[] => globSync('**/*.html', { cwd: directory });
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');
  const found = () => page.locator('.found a');

  it('has all pages, and no problem of links, anchors and images, with the address of the repository', async () => {
    expect(built()).toHaveLength(pages.length);
    expect(await checkSite(directory)).toEqual([]);
    await open('docs/scale-api.html');
    expect(await page.locator(`a[href="${repository}docs/openapi.json"]`).count()).toBeGreaterThan(0);
  });

  it.each(pages.map(outputOf))(
    'has no violation that axe knows of, and asks no other host: %s',
    async (path) => {
      await open(path);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  it.each(['index', 'docs/cli', 'docs/truth', 'docs/performance'])(
    'has no violation that axe knows of in the dark: %s',
    async (path) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(`${path}.html`);
      await page.evaluate('document.querySelectorAll("summary").forEach((one) => one.click())');
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  it('is as wide as a phone on every page', async () => {
    await page.setViewportSize(phone);
    for (const path of built()) {
      await open(path);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(phone.width);
    }
  });

  it('has no violation that axe knows of on a phone, with the list of pages open', async () => {
    await page.setViewportSize(phone);
    await open('docs/truth.html');
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('link', { name: 'Glossary' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('finds a heading by keyboard: slash, words, arrow, Enter', async () => {
    await open('docs/adr/index.html');
    await page.keyboard.press('/');
    await page.keyboard.type('failed drains');
    await found().first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^Operating: Failed drains/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/drover/docs/operating.html#failed-drains');
  });

  it.each(searchTerms.filter(({ place }) => place === 'first'))(
    'shows $page first for "$typed"',
    async ({ typed, page: wanted }) => {
      await open('docs/adr/index.html');
      await page.getByLabel('Search the pages').fill(typed);
      await found().first().waitFor();
      expect(await found().first().getAttribute('href')).toContain(`/drover/${wanted}`);
    },
  );

  it('has the version on each page, and a way home', async () => {
    await open('docs/adr/0006-the-pass-loop.html');
    await page.getByRole('link', { name: `Version ${version}: what changed` }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.waitForURL('**/drover/index.html');
    expect(await page.locator('.trail').count()).toBe(0);
  });

  it('closes the search on Escape, and says that nothing is found', async () => {
    await open('index.html');
    await page.getByLabel('Search the pages').fill('xyzzyplugh');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.found').waitFor({ state: 'hidden' });
  });

  it('says that the search cannot be loaded, and loads it with the next word', async () => {
    await page.route('**/search.json', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await open('index.html');
    await page.getByLabel('Search the pages').fill('hold');
    await page.getByText('The search cannot be loaded').waitFor();
    await page.getByLabel('Search the pages').fill('holds');
    await found().first().waitFor();
    expect(faults.splice(0)).toEqual([expect.stringContaining('503')]);
  });

  it('skips to the content with the first Tab', async () => {
    await open('docs/cli.html');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  it('opens the list of pages on a phone by keyboard, and closes it on Escape', async () => {
    await page.setViewportSize(phone);
    await open('docs/cli.html');
    await page.getByRole('button', { name: 'Pages' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Drover');
    await page.keyboard.press('Escape');
    await page.locator('#pages').waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Pages');
  });

  it('lets the keyboard reach a table that is wider than the page, and no other', async () => {
    await page.setViewportSize(phone);
    await open('docs/comparison.html');
    await page.locator('.scroller[tabindex="0"]').first().waitFor();
    await page.setViewportSize({ width: 2000, height: 1000 });
    await page.locator('.scroller[tabindex="0"]').first().waitFor({ state: 'detached' });
  });

  it('copies a block of code by keyboard, and has no button on a transcript', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('index.html');
    await page
      .locator('.code', { hasText: 'npm ci --ignore-scripts && npm start' })
      .getByRole('button')
      .focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'npm ci --ignore-scripts && npm start\n',
    );
    expect(await axeViolations(page)).toEqual([]);
    await open('docs/transcripts/terminate.html');
    expect(await page.locator('pre').count()).toBeGreaterThan(0);
    expect(await page.locator('.code').count()).toBe(0);
  });

  it('shows where the reader is in the list of pages', async () => {
    await open('docs/adr/0028-people-are-told-by-an-event.html');
    const { y = -1 } = (await page.locator('.pages [aria-current]').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(56);
    expect(y).toBeLessThan(desktop.height);
  });

  it('is readable without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${door.url}/drover/docs/cli.html`);
    await plain.getByRole('link', { name: 'Deployment', exact: true }).first().click();
    await plain.getByRole('heading', { name: 'Deployment', level: 1 }).waitFor();
    expect(await plain.locator('.search').isHidden()).toBe(true);
    await context.close();
  });

  it('shows code that is indented, and the dark picture in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open('index.html');
    await page.locator('pre', { hasText: 'npm ci --ignore-scripts && npm start' }).waitFor();
    await page.getByAltText('The dashboard of an account').scrollIntoViewIfNeeded();
    expect(await page.evaluate('document.querySelector("picture img").currentSrc')).toMatch(
      /dashboard-account-dark\.png$/,
    );
  });
});
