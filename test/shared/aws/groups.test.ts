import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import { createGroups } from '../../../shared/aws/groups.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';

const silent = createServer(() => undefined);

afterEach(() => {
  silent.closeAllConnections();
  silent.close();
});

describe('the groups behind an Auto Scaling that does not answer', () => {
  it('fail to load with the code `unavailable`', async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const groups = createGroups({
      clusterName: 'prod',
      connection: {
        region: 'eu-west-1',
        environment: {
          AWS_ENDPOINT_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        },
        maxAttempts: 1,
        credentials: () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }),
        clock: { now: () => 0 },
        requestHandler: awsOverHttp((request) => sendHttp({ ...request, timeoutMilliseconds: 20 })),
      },
    });
    await expect(groups.listGroups()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
