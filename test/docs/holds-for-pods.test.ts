import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { operatorOf } from '../cli/operator.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/holds-for-pods.md'), 'utf8');

/** The manifests of the page, by the name in their first line. */
const files = Object.fromEntries(
  [...page.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```/gm)].map(([, name = '', text = '']) => [name, text]),
);

/** Its commands in their order, with the heading above them. */
const commands = page.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('drover '))
      .map((line) => ({ heading: section.split('\n')[0] ?? '', line })),
  ),
);

/** The words of a command line, without their quotes. */
const wordsOf = (line: string): readonly string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ''));

describe('docs/holds-for-pods.md', () => {
  let world: DroverWorld;
  const drover = (words: readonly string[]) => operatorOf(world, { files })(words);

  beforeAll(async () => {
    world = createDroverWorld();
    for (const autoScalingGroupName of ['workers', 'workers-a', 'workers-b', 'gpu'])
      await withWorkers(world, { autoScalingGroupName, size: 1, settings: { MinSize: 1, MaxSize: 60 } });
  });

  it('has ten examples, each with a command', () => {
    expect(new Set(commands.map(({ heading }) => heading.match(/^\d+/)?.[0])).size).toBe(11);
  });

  it('has only commands that work, in their order, and holds that are met afterwards', async () => {
    const failed: string[] = [];
    for (const { line } of commands) {
      const { code, err } = await drover(wordsOf(line));
      if (code !== 0) failed.push(`${line}: ${err}`);
    }
    expect(failed).toEqual([]);
    await world.timeline.pass(900);
    const { out } = await drover(['hold', 'list', '--json']);
    const holds = JSON.parse(out) as readonly { name: string; state: string; reason: string }[];
    // No node of the sandbox has a GPU.
    expect(holds.filter(({ state }) => state !== 'met')).toEqual([
      expect.objectContaining({
        name: 'training',
        reason: expect.stringContaining('Insufficient nvidia.com/gpu'),
      }),
    ]);
    expect(holds.map(({ name }) => name).toSorted()).toEqual(
      expect.arrayContaining(['ana', 'batch', 'canary', 'db', 'headroom', 'team-a', 'team-b', 'web-b']),
    );
  });
});
