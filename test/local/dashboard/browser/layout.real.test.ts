import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capacity, group, instance, leavingInstance, now, roll, state } from '../../../ui/states.ts';
import { missing, openChromium } from './support/chromium.ts';
import { type ShownState, showState } from './support/shown-state.ts';

/** The longest that AWS allows. */
const longName = 'drover-production-general-purpose-'.repeat(8).slice(0, 255);

/** A page on which names have no place to break, and one is written from right to left. */
const shownNames = () => {
  const [pass] = state().passes ?? [];
  const [hold] = capacity().holds;
  return state({
    groups: [
      group({ autoScalingGroupName: longName, instances: [instance(), leavingInstance()] }),
      group({ autoScalingGroupName: 'עובדים-ירושלים', instances: [instance({ instanceId: 'i-01' })] }),
      group({
        autoScalingGroupName: 'x'.repeat(255),
        instances: [],
        capacity: capacity({
          holds: hold ? [{ ...hold, name: 'h'.repeat(63), until: now + 3_600_000 }] : [],
        }),
      }),
    ],
    rolls: [
      roll({
        name: 'r'.repeat(64),
        reason: `the alarm ${'z'.repeat(255)} is raised`,
        groups: [{ autoScalingGroupName: longName, progress: { old: 1, fresh: 2, leaving: 3, leftOut: 4 } }],
        moving: [
          {
            name: longName,
            autoScalingGroupName: longName,
            state: 'leaving',
            why: `it waits for shop/${'p'.repeat(253)}`,
          },
        ],
      }),
    ],
    passes: pass ? [{ ...pass, subject: longName }] : [],
    budgets: [{ name: `shop/${'b'.repeat(253)}`, allowed: 0, healthy: 1, desired: 1, expected: 1 }],
    news: [{ at: now, speaker: 'aws', text: `MinSize of ${'y'.repeat(255)} is 1` }],
    problems: [{ subject: longName, message: longName }],
  });
};

/** Of the labels of an axis that can be seen, where each begins and ends, as parts of its width. */
const placesOfLabels = `(() => {
  const axis = document.querySelector('.axis');
  const { left, width, bottom } = axis.getBoundingClientRect();
  return [...axis.children].flatMap((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    const place = range.getBoundingClientRect();
    return place.width > 0 && place.top < bottom
      ? [[(place.left - left) / width, (place.right - left) / width]]
      : [];
  });
})()`;

describe.skipIf(missing !== '')(`the layout of the page in Chromium${missing}`, () => {
  let browser: Browser;
  let shown: ShownState;
  beforeAll(async () => {
    browser = await openChromium();
    shown = await showState(shownNames());
  });
  afterAll(async () => {
    await browser?.close();
    await shown?.door.close();
  });

  const open = async (options: Parameters<Browser['newContext']>[0]): Promise<Page> => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    await page.goto(shown.door.url);
    await page.locator('.group').nth(2).waitFor();
    // What is off the screen is not laid out before it is scrolled to, and wide only then.
    await page.evaluate(
      `for (const card of document.querySelectorAll('.card')) card.style.contentVisibility = 'visible'`,
    );
    return page;
  };

  it.each([320, 375, 680, 1360])(
    'is no wider than a screen of %i pixels, however long the names are',
    async (width) => {
      const page = await open({ viewport: { width, height: 800 } });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      await page.context().close();
      expect(wide).toBe(width);
    },
  );

  it.each([
    { width: 320, days: 6 },
    { width: 320, days: 28 },
    { width: 1360, days: 28 },
  ])('cuts no time of a line of $days days on $width pixels, and writes none over another', async (line) => {
    const page = await open({ viewport: { width: line.width, height: 800 } });
    const [hold] = capacity().holds;
    const day = 86_400_000;
    // The line of 35 days ends a few hours after a label then.
    const at = now + 1.5 * day;
    const holds = hold ? [{ ...hold, until: at + line.days * day }] : [];
    shown.show(state({ now: at, groups: [group({ capacity: capacity({ holds, schedules: [] }) })] }));
    await page.getByText(`in ${line.days}`).waitFor();
    const labels = await page.evaluate<readonly (readonly [left: number, right: number])[]>(placesOfLabels);
    shown.show(shownNames());
    await page.context().close();
    expect(labels.length).toBeGreaterThan(2);
    labels.forEach(([left, right], index) => {
      expect(left).toBeGreaterThan(labels[index - 1]?.[1] ?? 0);
      expect(right).toBeLessThanOrEqual(1);
    });
  });

  it.each([
    { width: 1360, height: 800 },
    { width: 320, height: 800 },
    // 400 % of 1280 x 1024
    { width: 320, height: 256 },
  ])('hides nothing that is linked to, or has the focus, on $width x $height', async (viewport) => {
    const page = await open({ viewport });
    await page.goto(`${shown.door.url}#i-0fedcba9876543210`);
    await page.locator('.card:target').waitFor();
    const [card, masthead] = await page.evaluate<readonly [number, number]>(`(() => {
      const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
      return [boxOf('.card:target').top, Math.max(0, boxOf('.masthead').bottom)];
    })()`);
    await page.context().close();
    expect(card).toBeGreaterThanOrEqual(masthead);
    expect(masthead).toBeLessThan(viewport.height / 4);
  });

  it('prints its bars and shapes, without what can only be pressed', async () => {
    const page = await open({ colorScheme: 'light' });
    await page.emulateMedia({ media: 'print' });
    const adjustOf = (selector: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).printColorAdjust`);
    expect(await adjustOf('.deadline progress')).toBe('exact');
    expect(await adjustOf('.pod')).toBe('exact');
    expect(await page.locator('button:not(.toggle, .cell, .part):visible').count()).toBe(0);
    expect(await page.locator('.toggle:visible', { hasText: 'i-0fedcba9876543210' }).count()).toBe(1);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.context().close();
  });

  it('distinguishes disabled buttons, and keeps its bars, if the system chooses the colours', async () => {
    const page = await open({ forcedColors: 'active' });
    const colourOf = (selector: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
    expect(await colourOf('.terminate[aria-disabled]')).not.toBe(
      await colourOf('.terminate:not([aria-disabled])'),
    );
    const adjusts = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.deadline progress')).forcedColorAdjust`,
    );
    await page.context().close();
    expect(adjusts).toBe('none');
  });
});
