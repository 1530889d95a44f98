import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { newVersion, putRoll } from '../../../local/world/rolls.ts';
import { askParameterOf, readRoll } from '../../../shared/roll/roll.ts';
import { apiOperatorOf } from '../through-scale-api.ts';
import { paths } from './support.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  putRoll(world, { workers: newVersion(world, 'ami-0000000000000new0') });
});

async function wanted(): Promise<string | undefined> {
  const reading = readRoll((await parametersOf(world).read(askParameterOf(paths, 'june'))) ?? '', 'june');
  return reading.kind === 'read' ? reading.value.wanted : undefined;
}

describe('a change of a roll through the scale API', () => {
  it('is made as directly, and not in a dry run', async () => {
    const { drover } = apiOperatorOf(world);
    expect((await drover('roll pause june --api --dry-run')).out).toBe('would pause roll june\n');
    expect(await wanted()).toBe('run');
    expect(await drover('roll pause june --api')).toMatchObject({
      code: 0,
      out: 'roll june pauses: no further node is replaced, and one that leaves goes on\n',
    });
    expect(await wanted()).toBe('paused');
    expect((await drover('roll pause june --api')).out).toMatch(/^roll june: it is so already: /);
    expect((await drover('roll resume june --api')).code).toBe(0);
    expect(await wanted()).toBe('run');
    expect(JSON.parse((await drover('roll abort june --api --json')).out)).toEqual({
      roll: 'june',
      done: true,
    });
    expect(await wanted()).toBe('aborted');
  });

  it('fails with the reason of the API, and refuses to wait', async () => {
    const { drover } = apiOperatorOf(world);
    expect(await drover('roll pause july --api')).toMatchObject({ code: 1 });
    expect(await drover('roll abort june --api --wait')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--wait reads the Nodes'),
    });
    expect(await wanted()).toBe('run');
  });
});
