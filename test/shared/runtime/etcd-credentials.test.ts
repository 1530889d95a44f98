import { AwsError, createSsm } from '@drover/cloud-sandbox/aws';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  credentials as keys,
  region,
} from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, credentialOf, issueLeaf } from '../../../cli/pki/issue.ts';
import { droverClientPath, leavesFor } from '../../../cli/pki/layout.ts';
import { encodeEtcdClientCredentials } from '../../../shared/etcd/client-credentials.ts';
import { etcdCredentials } from '../../../shared/runtime/etcd-context.ts';

const minute = 60_000;
const start = createManualClock().now();

/** The text of the parameter with a certificate that lasts so long from the start. */
async function issue(minutes: number): Promise<string> {
  const validity = { notBefore: start - minute, notAfter: start + minutes * minute };
  const authority = { path: 'etcd/ca', commonName: 'etcd-ca' } as const;
  const issuer = await createAuthority({ authority, keyType: 'ecdsa-p256', validity });
  const leaf = leavesFor({ domain: 'a.b', apiServerNames: [] }).find(({ path }) => path === droverClientPath);
  if (!leaf) throw new Error('no client certificate');
  const client = await issueLeaf(issuer, { leaf, keyType: 'ecdsa-p256', validity });
  return encodeEtcdClientCredentials({
    certificateAuthority: (await credentialOf(issuer)).certificate,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
}

let short: string;
let long: string;
beforeAll(async () => {
  [short, long] = await Promise.all([issue(2), issue(600)]);
});

const parameter = '/drover/prod/etcd-client';

function createWorld(text: string) {
  const clock = createManualClock();
  const ssm = createSsm({ clock, accountId, region, putAwsEvent: () => undefined });
  let reads = 0;
  let isThrottled = false;
  const { clientOptions } = createTestFront({
    services: [ssm],
    clock,
    onCall: () => {
      reads += 1;
      return isThrottled
        ? new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' })
        : undefined;
    },
  });
  const put = (Value: string) =>
    void ssm.operations.PutParameter({ Name: parameter, Value, Type: 'SecureString', Overwrite: true }, {
      principal: { accountId, arn: `arn:aws:iam::${accountId}:user/me` },
      requestId: 'x',
    } as never);
  put(text);
  const read = etcdCredentials({
    clock,
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      DROVER_CLUSTER: 'prod',
      DROVER_ETCD_CLIENT_PARAMETER: parameter,
    },
    randomBytes: (size) => new Uint8Array(size),
    awsRequestHandler: clientOptions.requestHandler,
    sendHttp: () => Promise.reject(new Error('no network')),
    writeLine: () => undefined,
  });
  return {
    clock,
    put,
    read: async () => ((await read()).notAfter - start) / minute,
    reads: () => reads,
    remove: () => void ssm.operations.DeleteParameter({ Name: parameter }),
    throttle: (is: boolean) => void (isThrottled = is),
  };
}

describe('the client certificate for etcd', () => {
  it('is read once in five minutes, and one that was published meanwhile then', async () => {
    const { clock, put, read, reads } = createWorld(long);
    expect(await read()).toBe(600);
    put(short);
    clock.advance(299);
    expect([await read(), reads()]).toEqual([600, 1]);
    clock.advance(1);
    expect([await read(), reads()]).toEqual([2, 2]);
  });

  it('is read again within seconds if it has expired, because it may have been replaced', async () => {
    const { clock, put, read, reads } = createWorld(short);
    await read();
    clock.advance(120);
    expect([await read(), reads()]).toEqual([2, 2]);
    put(long);
    clock.advance(9);
    expect([await read(), reads()]).toEqual([2, 2]);
    clock.advance(1);
    expect([await read(), await read(), reads()]).toEqual([600, 600, 3]);
  });

  it('is used for its time while Parameter Store throttles, and read again after a refusal', async () => {
    const { clock, read, throttle } = createWorld(long);
    await read();
    throttle(true);
    clock.advance(299);
    expect(await read()).toBe(600);
    clock.advance(1);
    await expect(read()).rejects.toThrow('Rate exceeded');
    throttle(false);
    expect(await read()).toBe(600);
  });

  it('that is gone is named with the command that publishes one', async () => {
    const { clock, read, remove } = createWorld(long);
    await read();
    remove();
    clock.advance(300);
    await expect(read()).rejects.toThrow(/does not exist: drover pki upload/);
  });
});
