import { createHash, createHmac } from 'node:crypto';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { createAwsFront } from '../../../src/aws/front/front.ts';
import { createInProcessHandler } from '../../../src/aws/front/in-process.ts';
import { createS3 } from '../../../src/aws/s3/s3.ts';
import type { AwsService } from '../../../src/aws/service.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, credentials, region, testIdentity } from '../support/test-front.ts';

/** A front whose callers sign on its own clock, as on the wire. */
function world() {
  const clock = createManualClock();
  const s3 = createS3({ clock, random: createRandom(1), accountId, region });
  const echo = (signingName: string): AwsService => ({
    signingName,
    operations: { GetCallerIdentity: () => ({}), DescribeInstances: () => ({}) },
  });
  const front = createAwsFront({
    services: [echo('sts'), echo('ec2'), s3],
    findIdentity: (key) => (key === credentials.accessKeyId ? testIdentity : undefined),
    authorize: () => undefined,
    clock,
    signingClock: clock,
    random: createRandom(2),
  });
  const options = (offsetSeconds: number) => ({
    region,
    credentials,
    requestHandler: createInProcessHandler({ front }),
    maxAttempts: 1,
    systemClockOffset: clock.now() - Date.now() + offsetSeconds * 1000,
  });
  return { clock, s3, front, options };
}

describe('a signature with a wrong time', () => {
  it('is refused with the current time and the allowed difference', async () => {
    const { options } = world();
    const ask = (seconds: number) => new STSClient(options(seconds)).send(new GetCallerIdentityCommand());
    await expect(ask(-360)).rejects.toThrow(
      /^Signature expired: 20260105T075\d{3}Z is now earlier than 20260105T075500Z \(20260105T080000Z - 5 min\.\)$/,
    );
    await expect(ask(360)).rejects.toThrow(
      /^Signature not yet current: 20260105T080\d{3}Z is still later than 20260105T080500Z \(20260105T080000Z \+ 5 min\.\)$/,
    );
  });

  it.each([-960, 960])('by %i s is refused by EC2 and S3 with their own error codes', async (seconds) => {
    const { options } = world();
    await expect(new EC2Client(options(seconds)).send(new DescribeInstancesCommand())).rejects.toMatchObject({
      name: 'RequestExpired',
    });
    await expect(new S3Client(options(seconds)).send(new ListBucketsCommand())).rejects.toMatchObject({
      name: 'RequestTimeTooSkewed',
    });
  });

  it('by ten minutes is accepted by EC2 and S3', async () => {
    const { options } = world();
    await new EC2Client(options(-600)).send(new DescribeInstancesCommand());
    await new S3Client(options(600)).send(new ListBucketsCommand());
  });
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** S3 API reference, "Authenticating Requests: Using Query Parameters", step by step. */
function presign(path: string, timestamp: string): readonly (readonly [string, string])[] {
  const scope = [timestamp.slice(0, 8), region, 's3', 'aws4_request'];
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', [credentials.accessKeyId, ...scope].join('/')],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', '60'],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const;
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const canonical = ['GET', path, text, 'host:x\n', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(
    Buffer.from(key),
    ['AWS4-HMAC-SHA256', timestamp, scope.join('/'), hashed].join('\n'),
  ).toString('hex');
  return [...query, ['X-Amz-Signature', signature]];
}

describe('a presigned request for an object', () => {
  function presigned() {
    const { clock, s3, front } = world();
    s3.operations.CreateBucket({ Bucket: 'snapshots' });
    s3.operations.PutObject({ Bucket: 'snapshots', Key: 'a b', Body: Buffer.from('content') });
    const path = '/snapshots/a%20b';
    const request = { method: 'GET', path, headers: { host: 'x' }, body: new Uint8Array() };
    return { clock, ask: () => front.handle({ ...request, query: presign(path, '20260105T080000Z') }) };
  }

  it('needs no other signature until it expires', async () => {
    const { clock, ask } = presigned();
    const { statusCode, body } = await ask();
    expect([statusCode, Buffer.from(body).toString()]).toEqual([200, 'content']);
    clock.advance(61);
    const late = await ask();
    expect(late.statusCode).toBe(403);
    expect(late.body).toContain('<Code>AccessDenied</Code><Message>Request has expired</Message>');
  });
});
