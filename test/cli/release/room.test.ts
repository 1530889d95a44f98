import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { nodeNameOf } from '../../support/observed-instance.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';

let world: DroverWorld;
let leaving: string;

beforeEach(async () => {
  world = createDroverWorld();
  leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
});

const drover = (line: string, options = {}) => operatorOf(world, options)(line);

describe('drover release --plan', () => {
  it('says where the pods of the instance would go, which EC2 ends with it', async () => {
    const { code, out, err } = await drover(`release ${leaving} --plan`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /\n {2}2 pods end with the instance, .*\n2 replacements: 2 fit on other nodes now\.\n$/,
    );
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });

  it('has the same as JSON, and no room in the JSON of a release', async () => {
    const node = nodeNameOf(world, leaving);
    const { out } = await drover(`release workers --plan --json`);
    expect(JSON.parse(out)).toMatchObject({
      done: false,
      instances: [{ instanceId: leaving, outcome: 'not-done' }],
      room: { nodes: [node], fitNow: 2, onNewNodes: 0, wouldStayPending: 0, withoutGroups: null },
    });
    expect(JSON.parse((await drover('release workers --plan --no-room --json')).out).room).toBeNull();
    expect(JSON.parse((await drover('release workers --yes --json')).out)).not.toHaveProperty('room');
  });

  it('says in one line that the cluster cannot be read, and not once more for the room', async () => {
    const { code, out, err } = await drover(`release ${leaving} --plan`, { hasKubeconfig: false });
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning: cannot read which pods run on these instances: there is no kubeconfig[^\n]*\n$/,
    );
    expect(out).not.toContain('replacement');
  });

  it('has nothing to plan if no instance waits', async () => {
    const idle = createDroverWorld();
    await withWorkers(idle, { size: 1 });
    expect(await operatorOf(idle)('release workers --plan')).toEqual({
      code: 0,
      out: 'no instance of workers waits on a lifecycle hook\n',
      err: '',
    });
    expect(JSON.parse((await operatorOf(idle)('release workers --plan --json')).out)).toEqual({
      done: false,
      room: null,
      instances: [],
    });
  });
});
