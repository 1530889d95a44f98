import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, terminate } from '../../../local/world/drover-world.ts';
import { axeViolations } from '../../local/dashboard/browser/support/axe.ts';
import { missing, openChromium } from '../../local/dashboard/browser/support/chromium.ts';
import { type ShownWorld, showWorld } from '../../local/dashboard/browser/support/shown-world.ts';
import { operatorOf } from '../operator.ts';
import { kubeconfigFor } from '../support.ts';
import { ask, type RunningUi, runUi } from './run-ui.ts';

describe.skipIf(missing !== '')(`the page of an account in Chromium${missing}`, () => {
  let browser: Browser;
  let shown: ShownWorld;
  let leaving: string;
  let ui: RunningUi | undefined;
  let pages: Page[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await openChromium();
    shown = await showWorld();
    const { world } = shown;
    const [pod] = world.kubernetes.store.of('pods').list();
    const node = world.kubernetes.store
      .of('nodes')
      .list()
      .find(({ metadata }) => metadata.name === pod?.spec?.nodeName);
    leaving = node?.spec?.providerID?.split('/').at(-1) ?? '';
    await operatorOf(world)('hold create workers 3 --for 30m --name launch-day');
    terminate(world, leaving);
    await shown.pass(200);
  });
  afterAll(async () => {
    await browser?.close();
    await shown?.door.close();
  });
  afterEach(async () => {
    await Promise.all(pages.map((page) => page.context().close()));
    await ui?.interrupt();
    pages = [];
    expect(faults).toEqual([]);
  });

  async function open(url: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    const connected = page.waitForRequest((request) => request.url().endsWith('/api/events'));
    await page.goto(url);
    await connected;
    pages.push(page);
    return page;
  }

  /** The first reading takes real time; pages get it at the next turn of the clock. */
  async function openAccount(line: string): Promise<Page> {
    ui = await runUi(shown.world, line);
    const page = await open(ui.url);
    await ui.state();
    await shown.pass(1);
    await page.locator('.sentence').waitFor();
    return page;
  }

  const texts = async (page: Page, selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it.each(['ui', 'ui --api'])(
    'shows the account as the sandbox shows it: sentence, groups, a leaving node, a hold: %s',
    async (line) => {
      const account = await openAccount(line);
      const own = await open(shown.door.url);
      await own.locator('.sentence').waitFor();
      for (const selector of [
        '.sentence',
        '.steps [aria-current]',
        '.holding',
        '.deadline',
        '.capacity-part .row',
        '.group h3',
        '.group .ready',
      ]) {
        const said = await texts(account, selector);
        expect(said, selector).toEqual(await texts(own, selector));
        expect(said.length, selector).toBeGreaterThan(0);
      }
      expect((await texts(account, '.sentence'))[0]).toMatch(
        /^1 node draining for .*, held by budget strict/,
      );
      expect(await account.locator(`#${leaving}`).count()).toBe(1);
    },
  );

  it('has the name of the cluster, and no button that changes anything', async () => {
    const page = await openAccount('ui');
    expect(await page.title()).toBe(`Drover ${clusterName}`);
    const buttons = await page.locator('main button:not(.copy, .toggle, .cell, .part)').allInnerTexts();
    expect(buttons.filter((text) => !/^(Its events|Events|Report of |Read the logs)/.test(text))).toEqual([]);
    const links = await page
      .locator('main a[target]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toMatch(/^https:\/\/eu-west-1\.console\.aws\.amazon\.com\//);
    expect(await page.locator('.events li').count()).toBeGreaterThan(0);
  });

  it('follows what happens, and says when the command has ended', async () => {
    const page = await openAccount('ui');
    await operatorOf(shown.world)('pause workers');
    await shown.pass(6);
    await ui?.state();
    await shown.pass(1);
    await page.getByText('paused for the group').waitFor();
    await operatorOf(shown.world)('resume workers');
    await ui?.interrupt();
    await page.getByText('Connection lost, trying again').waitFor();
    faults.length = 0;
  });

  it.each(['light', 'dark'] as const)('has no violation that axe knows of, %s', async (colorScheme) => {
    const page = await openAccount('ui');
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'reads a report when you ask for it, on a phone too, %s',
    async (colorScheme) => {
      const page = await openAccount('ui');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Report of workers' }).click();
      await page.getByText('Nothing is read before you ask for it').waitFor();
      await page.getByLabel('Period').selectOption('7 days');
      await page.getByRole('button', { name: 'Read the logs' }).press('Enter');
      await page.getByRole('heading', { name: 'What this covers' }).waitFor();
      expect(await page.locator('.report-of strong').innerText()).toBe('drover, workers');
      expect(await page.evaluate<string>('location.search')).toBe('?days=7&report=workers');
      const names = ['CSV', 'JSON'].map(async (format) => {
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: `Download ${format}` }).click();
        return (await download).suggestedFilename();
      });
      expect(
        (await Promise.all(names)).every((name) => name.startsWith('drover-report_drover_workers_')),
      ).toBe(true);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await axeViolations(page)).toEqual([]);
      // What was read is shown again, and is not read again.
      await page.reload();
      await shown.pass(1);
      await page.getByText('drover, workers').waitFor();
    },
  );

  it.each(['light', 'dark'] as const)(
    'lists all clusters and leads to the page of each and back, by keyboard, on a phone too, %s',
    async (colorScheme) => {
      const { world } = shown;
      const stage = /^drover-(.+)-sweep$/.exec(world.lambda.functionOf('sweep').functionName)?.[1] ?? '';
      const odd =
        'a.cluster-with-a-very-long-name_and-no-space-at-all-that-goes-on-and-on-and-on-and-on-and-on-0';
      for (const [other, name] of [
        ['staging', 'Drover'],
        ['odd', odd],
      ])
        world.account.events.operations.PutRule({
          Name: `drover-${other}-sweep`,
          Description: `Every five minutes for cluster ${name}, a sweep`,
          ScheduleExpression: 'rate(5 minutes)',
        });
      addGroup(world, { autoScalingGroupName: `odd-${colorScheme}`, clusterName: odd, size: 0 });
      const contexts = "contexts: [{ name: 'drover', context: { cluster: sandbox, user: admin } }]";
      ui = await runUi(world, 'ui --all', {
        environment: { DROVER_CLUSTER: undefined },
        files: {
          '/home/ana/.kube/config': kubeconfigFor(world.kubernetes.adminToken).replace(
            /contexts:.*/,
            contexts,
          ),
        },
      });
      const page = await open(ui.url);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 844 });
      const readAll = async (): Promise<void> => {
        await ask(`${page.url()}api/state`);
        await shown.pass(1);
        await page.locator('.sentence').waitFor();
      };
      await readAll();
      expect(await page.locator('.clusters > li').count()).toBe(3);
      expect(await page.locator('.problems a').first().getAttribute('href')).toMatch(/@/);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByLabel('Find').fill(clusterName);
      await page.getByText('2 of 3 clusters').waitFor();
      await page.reload();
      await page.getByText('2 of 3 clusters').waitFor();
      await page.getByRole('link', { name: clusterName, exact: true }).first().press('Enter');
      await page.waitForURL(`**/${clusterName}@${stage}/`);
      await readAll();
      expect(await page.title()).toBe(`Drover ${clusterName}`);
      expect(await page.locator('.masthead .place').innerText()).toContain(`stage ${stage}`);
      for (const command of await page.locator('.command code').allInnerTexts())
        expect(command).toMatch(/DROVER_CLUSTER=drover |--cluster drover|kubectl --context drover |^aws /);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'All clusters' }).press('Enter');
      await page.waitForURL(ui.url);
    },
  );

  it('has none while nothing can be read either, and says so', async () => {
    ui = await runUi(shown.world, 'ui', { hasKubeconfig: false, actions: ['sts:GetCallerIdentity'] });
    const page = await open(ui.url);
    await ui.state();
    await shown.pass(1);
    await page.getByText('Not everything could be read').waitFor();
    await page.getByText('No group that Drover manages is known.').waitFor();
    expect(await page.getByLabel('What could not be read').locator('li').count()).toBe(9);
    expect(await axeViolations(page)).toEqual([]);
  });
});
