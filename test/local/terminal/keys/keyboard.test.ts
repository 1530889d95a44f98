import { beforeEach, describe, expect, it } from 'vitest';
import { createKeyboard } from '../../../../local/terminal/keys/keyboard.ts';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  withWorkers,
} from '../../../../local/world/drover-world.ts';

let world: DroverWorld;
let told: string[];

beforeEach(() => {
  world = createDroverWorld();
  told = [];
});

const keyboard = (openPage: (url: string) => Promise<void> = () => Promise.resolve()) => {
  const quits: number[] = [];
  const press = createKeyboard({
    cloud: world,
    pageUrl: 'http://127.0.0.1:4569',
    tell: (text) => told.push(text),
    openPage,
    quit: () => quits.push(1),
  });
  return { press, quits };
};

describe('the keys of npm start', () => {
  it('t terminates one worker after the other', async () => {
    const ids = await withWorkers(world, { size: 2 });
    const { press } = keyboard();
    press('t');
    await world.timeline.pass(60);
    expect(told).toEqual([expect.stringMatching(/^Auto Scaling terminates i-\S+ and replaces it\.$/)]);
    const leaving = ids.filter((id) => stateOf(world, id) !== 'InService');
    expect(leaving).toHaveLength(1);
    press('t');
    expect(told[1]).not.toBe(told[0]);
  });

  it('i has EC2 warn a spot instance', async () => {
    const [instanceId = ''] = await withWorkers(world, { size: 1, spot: true });
    keyboard().press('i');
    expect(told).toEqual([expect.stringMatching(`^EC2 has warned ${instanceId}`)]);
    await world.timeline.pass(130);
    expect(world.account.ec2.instances.find(instanceId)?.state).not.toBe('running');
  });

  it('i says that there is no spot instance, and does nothing', async () => {
    const ids = await withWorkers(world, { size: 1 });
    keyboard().press('i');
    expect(told).toEqual(['Nothing happens: no spot instance serves that could be interrupted.']);
    expect(stateOf(world, ids[0] ?? '')).toBe('InService');
  });

  it('o opens the page, or prints its address if no browser can be started', async () => {
    const opened: string[] = [];
    keyboard(async (url) => void opened.push(url)).press('o');
    keyboard(() => Promise.reject(new Error('spawn xdg-open ENOENT'))).press('o');
    await world.timeline.pass(1);
    expect(opened).toEqual(['http://127.0.0.1:4569']);
    expect(told).toEqual([
      'A browser was asked to open http://127.0.0.1:4569.',
      'Open http://127.0.0.1:4569 by hand: spawn xdg-open ENOENT.',
    ]);
  });

  it('q and Ctrl-C quit', () => {
    const { press, quits } = keyboard();
    press('q');
    press('\u0003');
    expect(quits).toHaveLength(2);
  });
});
