import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../cli/context.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { domain } from '../../../local/world/etcd/etcd-world.ts';
import { inService, recordsIn } from '../../../local/world/etcd/expectations.ts';
import { bodyText } from '../../support/body-text.ts';
import { operatorInTime, operatorOf } from '../../support/etcd/operator.ts';
import { createKeyboard } from '../keyboard.ts';
import { bucket, createWorldWithMembers, place, temporaryFolder } from './snapshots/support.ts';

/** A machine on which Ctrl-C is pressed during a request to AWS. */
function interruptedAt(
  world: DroverWorld,
  isReached: (request: { readonly method: string; readonly nth: number; readonly body: string }) => boolean,
): Pick<Machine, 'onInterrupt' | 'awsRequestHandler'> {
  const { onInterrupt, pressCtrlC } = createKeyboard();
  const { awsRequestHandler } = world.doors('operator');
  const counts = new Map<string, number>();
  return {
    onInterrupt,
    awsRequestHandler: {
      handle: async (request, options) => {
        const nth = (counts.get(request.method) ?? 0) + 1;
        counts.set(request.method, nth);
        if (isReached({ method: request.method, nth, body: bodyText(request.body) })) pressCtrlC();
        return await awsRequestHandler.handle(request, options);
      },
    },
  };
}

describe('Ctrl-C', () => {
  it.each(['rebirth', 'adopt', 'cleanup'])(
    'ends drover etcd %s while it reads, and it has changed nothing',
    async (command) => {
      const { world, clusterId } = await createWorldWithMembers(1);
      const before = recordsIn(world);
      const drover = operatorInTime(
        world,
        interruptedAt(world, ({ nth }) => nth === 2),
      );
      const flags = command === 'cleanup' ? '' : ` --cluster-id ${clusterId}`;
      expect(await drover(`${command}${flags}`)).toMatchObject({
        exitCode: 130,
        stderr: expect.stringMatching(/\ndrover: interrupted: nothing was changed\n$/),
      });
      await world.timeline.pass(60);
      expect(recordsIn(world)).toEqual(before);
    },
  );

  it('lets drover etcd cleanup make a change that has begun, which it reports', async () => {
    const { world } = await createWorldWithMembers(1);
    const { operations } = world.account.autoScaling;
    operations.DeleteLifecycleHook({ AutoScalingGroupName: 'etcd', LifecycleHookName: 'drover-etcd' });
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity: 0 });
    await world.timeline.pass(600);
    const machine = interruptedAt(world, ({ body }) => body.includes('ChangeResourceRecordSets'));
    const { exitCode, stdout, stderr } = await operatorInTime(world, machine)('cleanup');
    expect([exitCode, stderr]).toEqual([130, expect.stringMatching(/interrupted: everything was done\n$/)]);
    expect(stdout).toMatch(/^- TXT i-/m);
    await world.timeline.pass(60);
    expect(recordsIn(world).map(({ type }) => type)).toEqual(['NS', 'SOA']);
  });

  it('ends drover etcd snapshot in the stream, and nothing stays in the bucket', async () => {
    const { world } = await createWorldWithMembers(1);
    const drover = operatorOf(world, ['*'], interruptedStream(world));
    expect(await drover(`snapshot ${place}`)).toMatchObject({
      code: 130,
      err: expect.stringMatching(/interrupted: nothing was stored\n$/),
    });
    expect(world.account.s3.controls.keys(bucket)).toEqual([]);
    expect(world.account.s3.controls.openUploads(bucket)).toBe(0);
  });

  it('ends drover etcd restore in the download, and leaves no file', async () => {
    const { world, drover } = await createWorldWithMembers(1);
    expect(await drover(`snapshot ${place}`)).toMatchObject({ code: 0 });
    const folder = temporaryFolder();
    const [member = ''] = inService(world);
    const machine = interruptedAt(world, ({ method, nth }) => method === 'GET' && nth === 2);
    const line = `restore ${place} --domain ${domain} --member ${member} --out ${join(folder, 'snapshot.db')}`;
    const { code, out, err } = await operatorOf(world, ['*'], machine)(line);
    expect([code, out, err]).toEqual([
      130,
      '',
      expect.stringMatching(/interrupted: \S+snapshot.db was not written, and nothing else was changed\n$/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends the removal of snapshots between two of them, and counts those that are gone', async () => {
    const { world, drover } = await createWorldWithMembers(1);
    for (let taken = 0; taken < 4; taken += 1) {
      await drover(`snapshot ${place}`);
      await world.timeline.pass(60);
    }
    const machine = interruptedAt(world, ({ method, nth }) => method === 'DELETE' && nth === 2);
    const run = operatorOf(world, ['*'], machine);
    expect(await run(`snapshots ${place} --prune --keep 1 --days 1`)).toMatchObject({
      code: 130,
      err: expect.stringMatching(/interrupted: of 3 snapshots 2 were removed; --prune again goes on\n$/),
    });
    expect(world.account.s3.controls.keys(bucket)).toHaveLength(2);
  });
});

/** Ctrl-C is pressed once the first chunk of a database has arrived. */
function interruptedStream(world: DroverWorld): Pick<Machine, 'onInterrupt' | 'streamGateway'> {
  const { onInterrupt, pressCtrlC } = createKeyboard();
  const { stream } = world.etcd.world.door;
  return {
    onInterrupt,
    streamGateway: async (request) => {
      const { status, chunks } = await stream(request);
      return { status, chunks: pressedAfterFirst(chunks, pressCtrlC) };
    },
  };
}

async function* pressedAfterFirst(chunks: AsyncIterable<Uint8Array>, pressCtrlC: () => void) {
  for await (const chunk of chunks) {
    yield chunk;
    pressCtrlC();
  }
}
