import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../../ui/states.ts';
import { axeViolations } from './support/axe.ts';
import { missing, openChromium } from './support/chromium.ts';
import { manyNodes } from './support/many-nodes.ts';
import { type ShownState, showState } from './support/shown-state.ts';

/** A machine that does several things at once is allowed another attempt. */
const attempts = 5;

async function leastOf(measure: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) found.push(await measure());
  return Math.min(...found);
}

/** How long the main thread of a page has worked: scripts, styles and layout, without the time in which other programs had the processor. */
async function mainThreadSeconds(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
}

describe.skipIf(missing !== '')(`the page with 1,000 nodes in Chromium${missing}`, () => {
  let browser: Browser;
  let shown: ShownState;
  beforeAll(async () => {
    browser = await openChromium();
    shown = await showState(manyNodes(1000));
  });
  afterAll(async () => {
    await browser?.close();
    await shown?.door.close();
  });

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    await page.goto(shown.door.url);
    await page.locator('.cell').nth(999).waitFor();
    return page;
  };

  it('shows its first nodes after less than half a second of work', async () => {
    const seconds = await leastOf(async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const page = await context.newPage();
      const workSeconds = await mainThreadSeconds(page);
      await page.goto(shown.door.url);
      await page.locator('.cell').nth(999).waitFor();
      const seconds = await workSeconds();
      await context.close();
      return seconds;
    });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(0.5);
  });

  it('shows a change within 100 ms', async () => {
    const page = await open();
    await page.evaluate(`
      window.longest = 0;
      window.keep = (entries) => {
        for (const { duration } of entries) window.longest = Math.max(window.longest, duration);
      };
      window.observer = new PerformanceObserver((list) => window.keep(list.getEntries()));
      window.observer.observe({ type: 'longtask' });
    `);
    let step = 0;
    const milliseconds = await leastOf(async () => {
      step += 1;
      await page.evaluate('window.longest = 0');
      const changed = manyNodes(1000, { now: now + step * 1000, accountId: `${step}` });
      const [group] = changed.groups;
      const instances = group?.instances.map((one, index) =>
        index % 10 === step ? { ...one, lifecycleState: 'Terminating:Wait' } : one,
      );
      shown.show({ ...changed, groups: group ? [{ ...group, instances: instances ?? [] }] : [] });
      // By its class: a search through the text of a thousand nodes would be measured too.
      await page.locator('.place', { hasText: new RegExp(` ${step}$`) }).waitFor();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      // A task of less than 50 ms is none that is reported: 0.
      return page.evaluate<number>('window.keep(window.observer.takeRecords()), window.longest');
    });
    await page.context().close();
    expect(milliseconds).toBeLessThan(100);
  });

  it.each([
    { what: 'a screen', viewport: { width: 1360, height: 1000 } },
    { what: 'a phone', viewport: { width: 390, height: 844 } },
  ])('has all nodes in the height of $what', async ({ viewport }) => {
    const page = await open({ viewport });
    const box = await page.locator('.zones').boundingBox();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    await page.context().close();
    expect(box?.height).toBeLessThan(viewport.height);
    expect(width).toBe(viewport.width);
  });

  it('moves among the nodes with the arrow keys, and shows the one that Enter chooses', async () => {
    const page = await open();
    await page.locator('.cell[tabindex="0"]').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
    const chosen = page.locator('.card[data-selected]');
    await chosen.waitFor();
    const focused = await page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    expect(focused).toContain(await chosen.getAttribute('id'));
    await page.context().close();
  });

  it('has no violation that axe knows of', async () => {
    const page = await open();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});
