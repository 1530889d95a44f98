import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../../cli/program.ts';
import { addEtcdGroup } from '../../../../local/etcd-group.ts';
import type { DroverWorld } from '../../../support/drover-world.ts';
import { domain } from '../../../support/etcd/arbitraries.ts';
import { createEtcdDroverWorld, zoneId } from '../../../support/etcd/etcd-world.ts';
import { untilWhole } from '../../../support/etcd/expectations.ts';
import type { Run } from '../../support.ts';

export const bucket = 'prod-etcd';
export const place = `--cluster drover --bucket ${bucket}`;

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-restore-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Drover with a bucket, and `drover` for a user with these actions. */
export function operatorWithBucket(world: DroverWorld, actions: readonly string[] = ['*']) {
  const { account, clock, doors, timeline } = world;
  const Statement = [{ Effect: 'Allow', Action: [...actions], Resource: '*' }];
  const user = account.iam.putUser({
    userName: `ana-${actions.length}`,
    policies: [{ Version: '2012-10-17', Statement }],
  });
  return async (line: string): Promise<Run> => {
    const written = { out: '', err: '' };
    const code = await runCli(['etcd', ...line.split(' ')], {
      environment: {
        AWS_REGION: account.region,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        DROVER_ETCD_DOMAIN: domain,
        DROVER_ETCD_ZONE_ID: zoneId,
      },
      homeDirectory: '/nowhere',
      clock,
      pause: (milliseconds) => timeline.pass(milliseconds / 1000),
      stdout: { write: (text) => void (written.out += text), isTerminal: false },
      stderr: { write: (text) => void (written.err += text), isTerminal: false },
      readFile: () => Promise.reject(new Error('no file here')),
      runProgram: () => Promise.reject(new Error('no program here')),
      ...doors('operator'),
      streamGateway: world.etcd.world.door.stream,
    });
    return { code, ...written };
  };
}

export function createWorld(): DroverWorld {
  const world = createEtcdDroverWorld();
  world.account.s3.operations.CreateBucket({ Bucket: bucket });
  return world;
}

/** A cluster of members that serve; its id in hexadecimal. */
export async function createWorldWithMembers(size: number) {
  const world = createWorld();
  addEtcdGroup(world, { size });
  const clusterId = BigInt(await untilWhole(world, size)).toString(16);
  return { world, clusterId, drover: operatorWithBucket(world) };
}
