import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPageServer } from '../../../cli/ui/server.ts';
import { createBroadcast } from '../../../ui/server/broadcast.ts';
import { pageFiles } from '../../../ui/server/page-files.ts';
import type { ReportSource } from '../../../ui/server/report.ts';
import type { ReportView } from '../../../ui/state/report.ts';
import { axeViolations } from '../../local/dashboard/browser/support/axe.ts';
import { missing, openChromium } from '../../local/dashboard/browser/support/chromium.ts';
import { group, now, state } from '../../ui/states.ts';

const day = 86_400_000;
/** As long as Auto Scaling allows, with what else is allowed in it. */
const oddName = `workers of «Ünïcode» =cmd|/C calc ${'x'.repeat(220)}`;

/** As much as the page is ever sent. */
const report: ReportView = {
  cluster: 'drover',
  stage: 'live',
  group: null,
  since: new Date(now - 14 * day).toISOString(),
  until: new Date(now).toISOString(),
  sections: [
    {
      title: 'Drains',
      unknown: 'the log of node-leaving cannot be read: allow logs:FilterLogEvents',
      tables: [],
    },
    {
      title: 'Launches that failed',
      tables: [
        {
          head: ['Group', 'Failed', 'Last', 'Reason'],
          rows: [
            [oddName, '16', '2026-01-06T17:08Z', 'We currently do not have sufficient capacity. '.repeat(12)],
          ],
          sentences: [],
        },
      ],
    },
    {
      title: 'Holds',
      tables: [
        {
          head: ['Hold', 'Group', 'Nodes', 'From', 'To', 'Result', 'Short for'],
          rows: Array.from({ length: 100 }, (_, index) => [
            `hold-${index}`,
            index % 2 === 0 ? 'workers' : oddName,
            '4',
            '2026-01-05T12:54Z',
            '2026-01-05T15:54Z',
            'never had its nodes',
            '3h20m1s',
          ]),
          more: 4321,
          sentences: ['2 of 4421 holds were kept'],
        },
      ],
    },
  ],
  covers: ['logs from 2025-12-22T08:00:00Z to 2026-01-05T08:00:00Z: 7,223,233 lines'],
  missing: ['lines of node-leaving before 2026-01-04T00:00:00Z: there are more than a million'],
};

/** What AWS says without a permission. */
const refusal = `User: arn:aws:iam::123456789012:user/ana is not authorized to perform: autoscaling:DescribeAutoScalingGroups`;

describe.skipIf(missing !== '')(`a long report in Chromium${missing}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  async function openWith(
    reports: ReportSource,
    width: number,
    colorScheme: 'light' | 'dark',
  ): Promise<Page> {
    const shown = state({
      source: 'account',
      hasReports: true,
      groups: [group({ autoScalingGroupName: oddName })],
    });
    const onFault = (fault: unknown): void => {
      throw fault;
    };
    const server = await openPageServer({
      port: 0,
      token: 'token',
      files: pageFiles(),
      broadcast: createBroadcast({ read: () => shown, repeat: () => () => undefined, onFault }),
      read: () => Promise.resolve(shown),
      reports,
      onFault,
    });
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    onTestFinished(async () => {
      await context.close();
      await server.close();
    });
    const page = await context.newPage();
    await page.goto(server.url);
    return page;
  }

  const source = (parts: Partial<ReportSource>): ReportSource => ({
    clusterName: 'drover',
    latest: () => ({ kind: 'none' }),
    file: () => undefined,
    read: () => Promise.reject(new Error(refusal)),
    ...parts,
  });

  const sizes = [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const;

  it.each(sizes)(
    'fits into %i px, %s, while another is read, and keeps the focus when you cancel',
    async (...size) => {
      const read: ReportSource['read'] = (_, { onProgress, signal }) => {
        onProgress({ log: 'node-leaving', done: 7, all: 13, lines: 723_233, oldest: now - 6 * day });
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
        });
      };
      const page = await openWith(source({ latest: () => ({ kind: 'report', report }), read }), ...size);
      await page.getByText('and 4,321 more: the files have all').waitFor();
      await page.getByRole('button', { name: 'Read the logs' }).press('Enter');
      await page.getByText('node-leaving: 723,233 lines, back to 2025-12-30 08:00:00').waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        size[0],
      );
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).press('Enter');
      await page.getByText('Cancelled: nothing more is read').waitFor();
      await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('report');
    },
  );

  it.each(sizes)('says in %i px, %s, why AWS refuses it', async (...size) => {
    const page = await openWith(source({}), ...size);
    await page.getByRole('button', { name: 'Read the logs' }).press('Enter');
    await page.getByText(`It could not be read: ${refusal}`).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size[0]);
    expect(await axeViolations(page)).toEqual([]);
  });
});
