/** `npm run screenshots`: the pictures of the dashboard in docs/images, of a simulated cluster. It needs Chromium. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { putSchedule } from '../../../../local/story/put-schedule.ts';
import { clusterName, terminate } from '../../../../local/world/drover-world.ts';
import { formatHold } from '../../../../shared/capacity/holds/hold.ts';
import { holdParameterOf, holdPathsOf } from '../../../../shared/capacity/holds/parameters.ts';
import { runUi } from '../../../cli/ui/run-ui.ts';
import { openChromium } from './support/chromium.ts';
import { manyNodes } from './support/many-nodes.ts';
import { showState } from './support/shown-state.ts';
import { showWorld } from './support/shown-world.ts';

type Picture = { readonly name: string } & NonNullable<Parameters<Browser['newContext']>[0]>;

const folder = 'docs/images';
const desktop = { width: 1280, height: 900 };
const phone = { width: 360, height: 780 };

const pictures = [
  { name: 'dashboard-light', colorScheme: 'light', viewport: desktop },
  { name: 'dashboard-dark', colorScheme: 'dark', viewport: desktop },
  { name: 'dashboard-phone', colorScheme: 'light', viewport: phone },
] as const;

/** A hold by an operator, a schedule, and a node whose drain a budget delays. */
async function showDrain() {
  const shown = await showWorld();
  const { world } = shown;
  const now = world.clock.now();
  const hold = {
    autoScalingGroupName: 'workers',
    name: 'launch-day',
    nodes: 3,
    until: now + 2_700_000,
    raiseMaxSize: false,
    createdAt: now,
    by: 'anna',
  };
  world.account.ssm.operations.PutParameter(
    { Name: holdParameterOf(holdPathsOf(clusterName), hold), Value: formatHold(hold), Type: 'String' },
    { principal: world.account.operator, requestId: 'screenshots' },
  );
  putSchedule(world, {
    name: 'office-hours',
    at: Math.ceil((now + 2_400_000) / 60_000) * 60_000,
    definition: {
      autoScalingGroupName: 'workers',
      nodes: 5,
      durationSeconds: 3600,
      lead: 600,
      exceptions: [],
      raiseMaxSize: false,
    },
  });
  await shown.pass(300);
  const [pod] = world.kubernetes.store.of('pods').list();
  const node = world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ metadata }) => metadata.name === pod?.spec?.nodeName);
  terminate(world, node?.spec?.providerID?.split('/').at(-1) ?? '');
  await shown.pass(45);
  return shown;
}

await mkdir(folder, { recursive: true });
const browser = await openChromium();
const drain = await showDrain();
const many = await showState(manyNodes(1000, { queues: [] }));
const ui = await runUi(drain.world);
// CloudWatch Logs and the queues are read once the first page asks.
await ui.state();
const take = async (url: string, { name, ...options }: Picture): Promise<void> => {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.sentence').waitFor();
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
};
for (const picture of pictures) await take(drain.door.url, picture);
await take(ui.url, { name: 'dashboard-account', colorScheme: 'light', viewport: desktop });
await take(ui.url, { name: 'dashboard-account-dark', colorScheme: 'dark', viewport: desktop });
await take(many.door.url, {
  name: 'dashboard-1000-nodes',
  colorScheme: 'light',
  viewport: { ...desktop, height: 1000 },
});
await browser.close();
await Promise.all([drain.door.close(), many.door.close(), ui.interrupt()]);
