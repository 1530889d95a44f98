import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DashboardState, PassView } from '../../../../ui/state/types.ts';
import { capacity, group, instance, leavingInstance, now, state } from '../../../ui/states.ts';
import { axeViolations } from './support/axe.ts';
import { brokenWords, widestColumns } from './support/broken-words.ts';
import { missing, openChromium } from './support/chromium.ts';
import { type ShownState, showState } from './support/shown-state.ts';

const passes = (count: number, newest = now): readonly PassView[] =>
  Array.from({ length: count }, (_, index) => ({
    number: count - index,
    at: newest - index * 45_000,
    work: 'node-leaving',
    subject: index % 3 === 0 ? 'workers' : 'i-0fedcba9876543210',
    outcome: index % 7 === 2 ? ('failed' as const) : ('again' as const),
    reason: `waits for ${count - index} pods`,
    seconds: 0.3,
  }));

/** What a colleague who was called at night sees. */
const trouble = (parts: Partial<DashboardState> = {}): DashboardState =>
  state({
    problems: [
      {
        kind: 'certificate-conflict',
        subject: 'ip-10-0-0-5.eu-west-1.compute.internal',
        message: 'someone may hold a stolen bootstrap token for this node, or it has lost its key',
        severity: 'critical',
        since: new Date(now - 240_000).toISOString(),
        command: 'drover csr explain csr-2',
        alarm: 'certificate-conflicts',
      },
    ],
    groups: [
      group(),
      group({
        autoScalingGroupName: 'spare',
        desiredCapacity: 30,
        capacity: capacity({ base: 0, floor: 0, ready: 30, holds: [], schedules: [] }),
        instances: Array.from({ length: 30 }, (_, index) =>
          instance({ instanceId: `i-0000000${String(index).padStart(2, '0')}`, launchedAt: now - 9e6 }),
        ),
      }),
    ],
    passes: passes(60),
    ...parts,
  });

/** Cases that users of similar pages have reported. */
describe.skipIf(missing !== '')(`the page in Chromium, where other pages have hurt${missing}`, () => {
  let browser: Browser;
  let shown: ShownState;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());
  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    page = await context.newPage();
    await page.goto(shown.door.url);
    await page.locator('.events li').first().waitFor();
  };
  beforeEach(async () => {
    shown = await showState(trouble());
  });
  afterEach(async () => {
    await page?.context().close();
    await shown.door.close();
  });
  /** Sends a new state, and waits until it is on the page. */
  const push = async (next: DashboardState): Promise<void> => {
    shown.show(next);
    await page.locator('.clock time', { hasText: new Date(next.now).toISOString().slice(11, 19) }).waitFor();
  };

  it('begins with what people say, and never with the name of an alarm', async () => {
    await open();
    expect(await page.locator('.sentence').innerText()).toBe(
      'Someone may hold a stolen token for ip-10-0-0-5.',
    );
    expect(await page.locator('.problems code').innerText()).toBe('npx --no -- drover csr explain csr-2');
    expect(await page.locator('.app').innerText()).not.toContain('certificate-conflicts');
  });

  // wazuh-dashboard-plugins#1898, metabase#5875
  it('keeps the filter of the time line over new states and when it is loaded again', async () => {
    await open();
    await page.getByLabel('Of', { exact: true }).fill('workers-of-nobody');
    await page.getByText('No event matches.').waitFor();
    await page.getByLabel('Of', { exact: true }).fill('i-0fedcba9876543210');
    await page.getByLabel('Failures only').check();
    const said = await page.locator('.events [role="status"]').innerText();
    expect(said).toMatch(/^\d+ of 61 events$/);
    await push(trouble({ now: now + 1000 }));
    await page.reload();
    await page.locator('.events [role="status"]', { hasText: said }).waitFor();
    expect(await page.getByLabel('Failures only').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Show all events' }).click();
    expect(new URL(page.url()).search).toBe('');
  });

  // headlamp#5701
  it('leaves the place to which the reader has scrolled while events come', async () => {
    await open({ viewport: { width: 1280, height: 700 } });
    const row = page.locator('.events li', { hasText: 'waits for 45 pods' });
    await row.scrollIntoViewIfNeeded();
    const before = await row.boundingBox();
    for (let step = 1; step <= 3; step += 1)
      await push(trouble({ now: now + step * 1000, passes: passes(60 + step, now + step * 1000) }));
    const after = await page.locator('.events li', { hasText: 'waits for 45 pods' }).boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
  });

  it('keeps the focus, and what the reader has opened or closed, over new states', async () => {
    await open();
    const spare = page.getByRole('button', { name: 'spare', exact: true });
    await page.getByRole('button', { name: 'workers', exact: true }).click();
    await spare.click();
    for (let step = 1; step <= 5; step += 1)
      await push(trouble({ now: now + step * 1000, passes: passes(60 + step, now + step * 1000) }));
    expect(await spare.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await spare.getAttribute('aria-expanded')).toBe('true');
    const workers = page.getByRole('button', { name: 'workers', exact: true });
    expect(await workers.getAttribute('aria-expanded')).toBe('false');
  });

  // kubernetes#53513: output that jumps around
  it('has every instance in its place, in whatever order AWS lists them', async () => {
    await open();
    const order = (): Promise<readonly string[]> =>
      page
        .locator('.cell')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
    const before = await order();
    const next = trouble({ now: now + 1000 });
    await push({
      ...next,
      groups: next.groups.map((one) => ({ ...one, instances: one.instances.toReversed() })),
    });
    expect(await order()).toEqual(before);
  });

  // temporalio/ui#1964
  it.each(['Pacific/Kiritimati', 'America/Los_Angeles'])(
    'has its times in UTC, also those of the strip, in %s',
    async (timezoneId) => {
      await open({ timezoneId });
      expect(await page.locator('.strip-axis').innerText()).toMatch(/^07:02\s+07:3\d\s+08:00$/);
      expect(await page.locator('.events li time').first().innerText()).toBe('08:00:00');
      expect(await page.locator('.clock').innerText()).toContain('08:00:00 UTC');
    },
  );

  it('shows by keyboard the events of two minutes, and all of them again', async () => {
    await open();
    await page.locator('.part[tabindex="0"]').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const pressed = page.locator('.part[aria-pressed="true"]');
    const [, count] = /: (\d+) event/.exec((await pressed.getAttribute('aria-label')) ?? '') ?? [];
    await page.getByText(`${count} of 61 events`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('of 61 events').waitFor({ state: 'detached' });
  });

  // argo-cd#4838: states that only a colour tells apart
  it('has another shape for each state of an instance, and a word for each health', async () => {
    const { instanceId: _, ...rest } = instance();
    const instances = [
      { ...rest, instanceId: 'i-01' },
      { ...rest, instanceId: 'i-02', healthy: false },
      { ...rest, instanceId: 'i-03', lifecycleState: 'Pending' },
      leavingInstance(),
    ];
    shown.show(trouble({ groups: [group({ instances })] }));
    await open();
    const shapes = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll('.cell')].map((cell) => {
        const { clipPath, borderRadius, borderTopWidth } = getComputedStyle(cell);
        return [clipPath, borderRadius, borderTopWidth].join();
      })`);
    expect(new Set(shapes).size).toBe(4);
    expect(await page.locator('.health').innerText()).toBe('Degraded');
  });

  it('looks old, and not live, once nothing newer can be read', async () => {
    shown.show(trouble({ source: 'account', readAt: now - 60_000 }));
    await open();
    expect(await page.locator('.sentence').innerText()).toMatch(/^As of 2026-01-05 07:59:00: /);
    expect(await page.locator('.connection').innerText()).toBe('Old: nothing newer could be read');
    expect(await page.locator('.app[data-stale]').count()).toBe(1);
  });

  it('breaks no word on 1280 pixels, and has no column three times as wide as its neighbour', async () => {
    await open({ viewport: { width: 1280, height: 900 } });
    const closed = page.locator('.toggle[aria-expanded="false"]');
    await page.getByRole('button', { name: 'spare', exact: true }).click();
    await closed.first().click();
    expect(await page.evaluate<readonly string[]>(brokenWords)).toEqual([]);
    const ratios = await page.evaluate<readonly number[]>(widestColumns);
    expect(ratios.length).toBeGreaterThan(10);
    expect(Math.max(...ratios)).toBeLessThan(3);
  });

  it.each([
    { width: 1280, height: 900, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'dark' },
  ] as const)('has no violation that axe knows of on $width pixels, $colorScheme', async (screen) => {
    const { colorScheme, ...viewport } = screen;
    await open({ viewport, colorScheme });
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width);
  });
});
