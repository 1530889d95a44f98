import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { addEtcdGroup } from '../../../../local/etcd-group.ts';
import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../../../local/world/etcd/etcd-world.ts';
import { untilWhole } from '../../../../local/world/etcd/expectations.ts';
import { operatorOf } from '../../../support/etcd/operator.ts';

export const bucket = 'prod-etcd';
export const place = `--cluster drover --bucket ${bucket}`;

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-restore-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
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
  return { world, clusterId, drover: operatorOf(world) };
}
