import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dashboardState } from '../../../../local/dashboard/state/dashboard-state.ts';
import { stateOf, terminate } from '../../../../local/world/drover-world.ts';
import { axeViolations } from './support/axe.ts';
import { missing, openChromium } from './support/chromium.ts';
import { type ShownWorld, showWorld } from './support/shown-world.ts';

describe.skipIf(missing !== '')(`the page in Chromium${missing}`, () => {
  let browser: Browser;
  let shown: ShownWorld;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    faults.length = 0;
    shown = await showWorld();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: shown.door.url });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(shown.door.url);
    await page.getByText('All 2 nodes serve').waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    await shown.door.close();
    expect(faults).toEqual([]);
  });

  /** The instance on which the held pod runs. */
  const holding = (): string => {
    const { store } = shown.world.kubernetes;
    const [pod] = store.of('pods').list();
    const node = store
      .of('nodes')
      .list()
      .find(({ metadata }) => metadata.name === pod?.spec?.nodeName);
    return node?.spec?.providerID?.split('/').at(-1) ?? '';
  };
  /** Until the pods of its node are deleted by force. */
  const secondsTo = (instanceId: string): number => {
    const { world } = shown;
    const now = world.clock.now();
    const { groups } = dashboardState(world, { now, passes: [], news: [] });
    const leaving = groups[0]?.instances.find((one) => one.instanceId === instanceId)?.node?.leaving;
    return Math.ceil(((leaving?.until ?? now) - now) / 1000);
  };
  const sentence = (): Promise<string> => page.locator('.sentence').innerText();
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>('document.activeElement?.textContent ?? ""');
      if (focused.includes(name)) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  };

  it('shows a drain by mouse: the node, the pod that a budget blocks, the remedy, and the end', async () => {
    const instanceId = holding();
    await page.getByRole('button', { name: `Terminate ${instanceId}` }).click();
    await page.getByText(`Auto Scaling terminates ${instanceId} and replaces it.`).waitFor();
    await shown.pass(60);
    const card = page.locator(`#${instanceId}`);
    await card.getByText('Waits for', { exact: true }).waitFor();
    expect(await sentence()).toMatch(
      /^1 node draining for .*, held by budget strict; forced at \d\d:\d\d at the latest\.$/,
    );
    expect(await card.locator('.remedy').innerText()).toBe(
      'strict allows 0 of 1: scale its workload to 2, or relax it.',
    );
    expect(await card.locator('[aria-current="step"]').innerText()).toBe('Pods leave');
    await card.getByRole('button', { name: 'Its events' }).click();
    await page.getByText(/^\d+ of \d+ events$/).waitFor();
    expect(await page.locator('.events li').count()).toBeGreaterThan(0);
    await shown.pass(secondsTo(instanceId) + 300);
    await card.waitFor({ state: 'detached' });
    expect(stateOf(shown.world, instanceId)).toBeUndefined();
    expect(await sentence()).toBe('All 2 nodes serve.');
  });

  it('asks before it kills, keeps the instance on Escape, and gives the focus back: by keyboard', async () => {
    const instanceId = holding();
    await tabTo(`Kill… ${instanceId}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(`Kill ${instanceId}?`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(shown.world.account.ec2.instances.find(instanceId)?.state).toBe('running');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(`Kill… ${instanceId}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`${instanceId} was killed without a warning.`).waitFor();
    expect(shown.world.account.ec2.instances.find(instanceId)?.state).toBe('shutting-down');
  });

  it('asks again if the button is pressed before the browser has reported that the last question was closed', async () => {
    const instanceId = holding();
    const kill = page.getByRole('button', { name: `Kill… ${instanceId}` });
    await kill.click();
    const question = page.getByRole('dialog');
    await question.waitFor();
    // Escape closes the dialog at once; its event `close` comes later, on a busy machine after the next press of a key.
    await page.evaluate(
      `document.querySelector('dialog').addEventListener('close', () => { window.reported = true; });
       document.querySelector('dialog').close();
       document.getElementById('${instanceId}').querySelector('.kill').click();`,
    );
    await page.waitForFunction('window.reported');
    await question.getByText(`Kill ${instanceId}?`).waitFor();
    await question.getByRole('button', { name: 'Keep it' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(shown.world.account.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  it('goes to the content of the page if the instance has gone while the question was open', async () => {
    const instanceId = holding();
    await tabTo(`Kill… ${instanceId}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    terminate(shown.world, instanceId);
    await shown.pass(60);
    await shown.pass(secondsTo(instanceId) + 300);
    await page.locator(`#${instanceId}`).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator('#page:focus').waitFor();
  });

  it('shows an interrupted spot instance by keyboard', async () => {
    const instanceId = holding();
    await tabTo(`Interrupt ${instanceId}`);
    await page.keyboard.press('Space');
    await page.getByText(`EC2 has warned ${instanceId}`).waitFor();
    await shown.pass(30);
    await page.getByText('EC2 takes the spot instance back').waitFor();
  });

  it('copies an id, follows a link to an instance, and searches', async () => {
    const instanceId = holding();
    await page.getByRole('button', { name: `Copy the id ${instanceId}` }).click();
    await page.getByText(`Copied: ${instanceId}`).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(instanceId);
    await page.goto(`${shown.door.url}#${instanceId}`);
    await page.locator(`#${instanceId}[data-selected]`).waitFor();
    await page.getByLabel('Find').fill('strict');
    await page.getByText('1 of 2 instances').waitFor();
    expect(await page.locator('.group .card').count()).toBe(1);
    await page.reload();
    await page.getByText('1 of 2 instances').waitFor();
    expect(await page.getByLabel('Find').inputValue()).toBe('strict');
    await page.locator(`#${instanceId}[data-selected]`).waitFor();
  });

  it('says that the connection is lost, and finds back', async () => {
    await page.context().setOffline(true);
    await shown.door.close();
    await page.getByText('Connection lost, trying again').waitFor();
    expect(await page.locator('.app[data-stale]').count()).toBe(1);
    faults.length = 0;
    shown = await showWorld();
    await page.context().setOffline(false);
    await page.goto(shown.door.url);
    await page.getByText('Live', { exact: true }).waitFor();
    faults.length = 0;
  });

  it.each(['light', 'dark'] as const)(
    'has no violation that axe knows of while a node drains, %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: `Terminate ${holding()}` }).click();
      await shown.pass(60);
      await page.getByText('Waits for', { exact: true }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    },
  );
});
