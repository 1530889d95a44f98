import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode, until } from './cli.ts';

/** More than the 8 MB that the CLI sends as one. */
const bigBytes = 20_000_000;

const zoneOf = async ({ aws }: CliWorld): Promise<string> =>
  (await aws('route53 list-hosted-zones --query HostedZones[0].Id --output text')).trim();

/** S3 and Route 53. */
export const storageCases: Cases<CliWorld> = {
  'a file goes into a bucket in parts and comes back the same': async ({ aws, json, name, directory }) => {
    await aws(`s3 mb s3://${name}`);
    const content = randomBytes(bigBytes);
    writeFileSync(join(directory, 'big'), content);
    await aws(`s3 cp ${directory}/big s3://${name}/deep/big --only-show-errors`);
    const head = await json(`s3api head-object --bucket ${name} --key deep/big --query [ContentLength,ETag]`);
    expect(head).toEqual([bigBytes, expect.stringMatching(/^"[0-9a-f]{32}-3"$/)]);
    await aws(`s3 cp s3://${name}/deep/big ${directory}/back --only-show-errors`);
    expect(readFileSync(join(directory, 'back')).equals(content)).toBe(true);
  },

  'a bucket is listed as directories, kept in step with a folder, emptied and removed': async ({
    aws,
    tried,
    name,
    directory,
  }) => {
    await aws(`s3 mb s3://${name}`);
    expect(await aws('s3 ls')).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ${name}$`, 'm'),
    );
    mkdirSync(join(directory, 'folder/sub'), { recursive: true });
    writeFileSync(join(directory, 'folder/one'), '1');
    writeFileSync(join(directory, 'folder/sub/two'), '22');
    await aws(`s3 sync ${directory}/folder s3://${name} --only-show-errors`);
    const listed = await aws(`s3 ls s3://${name}/`);
    expect(listed).toMatch(/^ +PRE sub\/$/m);
    expect(listed).toMatch(/ 1 one$/m);
    expect((await aws(`s3 sync ${directory}/folder s3://${name}`)).trim()).toBe('');
    await aws(`s3api wait object-exists --bucket ${name} --key sub/two`);
    expect((await tried(`s3 rb s3://${name}`)).stderr).toContain('(BucketNotEmpty)');
    await aws(`s3 rm s3://${name} --recursive --only-show-errors`);
    await aws(`s3 rb s3://${name}`);
    await aws(`s3api wait bucket-not-exists --bucket ${name}`);
  },

  'an object and a bucket that are not there are refused, by the small commands and the large': async ({
    tried,
    name,
    directory,
  }) => {
    const get = `s3api get-object --bucket snapshots --key ${name} ${directory}/out`;
    expect(await tried(get)).toMatchObject({
      code: refusedCode,
      stderr: expect.stringContaining('(NoSuchKey)'),
    });
    writeFileSync(join(directory, 'file'), 'x');
    expect(await tried(`s3 cp ${directory}/file s3://${name}/x`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(NoSuchBucket)'),
    });
    expect((await tried(`s3api head-bucket --bucket ${name}`)).stderr).toContain('(404)');
  },

  's3 presign makes a URL that reads without credentials until it expires': async ({
    aws,
    directory,
    name,
  }) => {
    await aws(`s3 mb s3://${name}`);
    writeFileSync(join(directory, 'file'), 'content');
    await aws(`s3 cp ${directory}/file s3://${name}/file --only-show-errors`);
    const answer = await fetch((await aws(`s3 presign s3://${name}/file`)).trim());
    expect(await answer.text()).toBe('content');
  },

  'records are made once, replaced, listed and deleted, all of a batch or none': async (world) => {
    const { aws, json, tried, name } = world;
    const zone = await zoneOf(world);
    const record = (TTL: number) => ({
      Name: `${name}.sandbox.internal`,
      Type: 'A',
      TTL,
      ResourceRecords: [{ Value: '10.1.1.1' }],
    });
    const batch = (...changes: readonly (readonly [string, number])[]) =>
      `route53 change-resource-record-sets --hosted-zone-id ${zone} --change-batch ${JSON.stringify({
        Changes: changes.map(([Action, ttl]) => ({ Action, ResourceRecordSet: record(ttl) })),
      })}`;
    const change = (await json(`${batch(['CREATE', 60])} --query ChangeInfo`)) as Record<string, string>;
    expect(change).toMatchObject({ Status: 'PENDING', SubmittedAt: expect.stringMatching(/^\d{4}-/) });
    const changed = `route53 get-change --id ${change['Id']} --query ChangeInfo.Status`;
    await until(() => aws(changed), /INSYNC/);
    expect(await tried(batch(['CREATE', 60]))).toMatchObject({
      code: refusedCode,
      stderr: expect.stringMatching(/\(InvalidChangeBatch\).*but it already exists/),
    });
    expect((await tried(batch(['UPSERT', 30], ['DELETE', 99]))).stderr).toContain('(InvalidChangeBatch)');
    const listed = `route53 list-resource-record-sets --hosted-zone-id ${zone} --query`;
    const own = `ResourceRecordSets[?Name=='${name}.sandbox.internal.'].TTL`;
    expect(await json(listed, own)).toEqual([60]);
    await aws(batch(['UPSERT', 30]));
    expect(await json(listed, own)).toEqual([30]);
    await aws(batch(['DELETE', 30]));
    expect(await json(listed, own)).toEqual([]);
  },

  'a zone is listed page by page, and an unknown zone is refused': async (world) => {
    const { json, tried } = world;
    const zone = await zoneOf(world);
    const types = `route53 list-resource-record-sets --hosted-zone-id ${zone} --query ResourceRecordSets[].Type`;
    expect(await json(`${types} --page-size 1 --max-items 2`)).toEqual(['NS', 'SOA']);
    expect((await tried('route53 get-hosted-zone --id Z00000000000000')).stderr).toContain(
      '(NoSuchHostedZone)',
    );
  },
};
